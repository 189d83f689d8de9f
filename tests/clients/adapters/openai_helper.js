// openai: the helper .stream(), which builds the whole completion itself and is strict about it.
import OpenAI from 'openai';
import { answered, bodyOf, takeCompletion } from '../conversation.js';

export const streamsOnly = 'the helper only streams; create() is the row of openai';
export const differences = {};

export function connect(baseURL) {
  const client = new OpenAI({ baseURL, apiKey: 'sk-test-key' });
  return ({ signal, onText, ...ask }) => answered(async (got) => {
    const stream = client.chat.completions.stream(bodyOf(ask), { signal });
    stream.on('content', (delta) => {
      got.text += delta;
      onText?.();
    });
    takeCompletion(got, await stream.finalChatCompletion());
  });
}
