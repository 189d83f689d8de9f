// openai: the raw stream and the plain create().
import OpenAI from 'openai';
import { answered, bodyOf, chunkTaker, takeCompletion } from '../conversation.js';

export const differences = {};

export function connect(baseURL) {
  const client = new OpenAI({ baseURL, apiKey: 'sk-test-key' });
  return ({ signal, onText, ...ask }) => answered(async (got) => {
    const answer = await client.chat.completions.create(bodyOf(ask), { signal });
    if (!ask.stream) return takeCompletion(got, answer);
    const chunks = chunkTaker(got, onText);
    for await (const chunk of answer) chunks.take(chunk);
    chunks.end();
  });
}
