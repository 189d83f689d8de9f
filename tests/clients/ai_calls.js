// ai: streamText() and generateText(), for whichever provider an adapter hands in.
import { generateText, jsonSchema, streamText, tool } from 'ai';
import { answered, functions, question, system } from './conversation.js';

const tools = Object.fromEntries(Object.entries(functions).map(([name, told]) =>
  [name, tool({ description: told.description, inputSchema: jsonSchema(told.parameters) })]));

export const differences = {
  'twice/json': {
    requests: 6, corrections: 3,
    why: 'asks 3 times for any 5xx and does not know x-should-retry; each time 2 requests',
  },
};

/** One value for what both functions give at the end. */
async function takeResult(got, result) {
  got.finish = await result.rawFinishReason;
  got.prompt = (await result.usage).inputTokens;
  got.calls = (await result.toolCalls).map((call) =>
    ({ name: call.toolName, arguments: call.input }));
}

/** `modelNamed` makes the provider's model object; retries stay as `ai` sets them. */
export const connectWith = (modelNamed) => ({ model, stream, signal, onText }) =>
  answered(async (got) => {
    const asked = {
      model: modelNamed(model), system, prompt: question, tools, abortSignal: signal,
    };
    if (!stream) {
      const result = await generateText(asked);
      got.text = result.text;
      return takeResult(got, result);
    }
    const result = streamText({ ...asked, onError: () => {} });
    for await (const part of result.fullStream) {
      if (part.type === 'error') throw part.error;
      if (part.type === 'text-delta') {
        got.text += part.text;
        onText?.();
      }
    }
    return takeResult(got, result);
  });
