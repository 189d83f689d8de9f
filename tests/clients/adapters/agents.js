// @openai/agents: an agent with tools, set to the chat completions API, without tracing.
import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents';
import OpenAI from 'openai';
import { answered, functions, question, system } from '../conversation.js';

export const differences = {};

setTracingDisabled(true);

const tools = Object.entries(functions).map(([name, told]) => tool({
  name, ...told, strict: true, execute: async () => 'nothing to see',
}));

function takeRun(got, run) {
  got.prompt = run.runContext.usage.inputTokens;
  got.calls = run.newItems.filter((item) => item.type === 'tool_call_item').map(({ rawItem }) =>
    ({ name: rawItem.name, arguments: JSON.parse(rawItem.arguments) }));
}

export function connect(baseURL) {
  const modelProvider = new OpenAIProvider({
    openAIClient: new OpenAI({ baseURL, apiKey: 'sk-test-key' }), useResponses: false,
  });
  const runner = new Runner({ modelProvider, tracingDisabled: true });
  return ({ model, stream, signal, onText }) => answered(async (got) => {
    const agent = new Agent({
      name: 'desk', instructions: system, model, tools,
      toolUseBehavior: 'stop_on_first_tool', // the scripts answer a tool's result with calls again
    });
    const run = await runner.run(agent, question, { stream, signal });
    if (!stream) {
      const [{ providerData, output }] = run.rawResponses;
      got.finish = providerData?.choices?.[0].finish_reason;
      const parts = output.flatMap((item) => item.content ?? []);
      got.text = parts.map((part) => part.text ?? '').join('');
      return takeRun(got, run);
    }
    for await (const event of run) {
      if (event.type !== 'raw_model_stream_event') continue;
      if (event.data.type === 'model') {
        got.finish = event.data.event.choices[0]?.finish_reason ?? got.finish;
      } else if (event.data.type === 'output_text_delta') {
        got.text += event.data.delta;
        onText?.();
      }
    }
    await run.completed;
    return takeRun(got, run);
  });
}
