// @langchain/openai: ChatOpenAI with bound tools, stream() and invoke().
import { ChatOpenAI } from '@langchain/openai';
import { answered, messages, tools } from '../conversation.js';

export const differences = {
  'twice/json': {
    retries: 1, requests: 4, corrections: 2,
    why: 'repeats any 5xx, 6 times over a minute; set to 1 here; does not know x-should-retry',
  },
};

function takeMessage(got, message) {
  got.finish = message.response_metadata.finish_reason;
  got.prompt = message.usage_metadata?.input_tokens;
  got.calls = message.tool_calls.map((call) => ({ name: call.name, arguments: call.args }));
}

export function connect(baseURL) {
  return ({ model, stream, retries, signal, onText }) => answered(async (got) => {
    const chat = new ChatOpenAI({
      model, apiKey: 'sk-test-key', configuration: { baseURL }, maxRetries: retries,
    }).bindTools(tools);
    if (!stream) {
      const message = await chat.invoke(messages, { signal });
      got.text = message.content;
      return takeMessage(got, message);
    }
    let whole;
    for await (const chunk of await chat.stream(messages, { signal })) {
      whole = whole?.concat(chunk) ?? chunk;
      if (chunk.content) {
        got.text += chunk.content;
        onText?.();
      }
    }
    return takeMessage(got, whole);
  });
}
