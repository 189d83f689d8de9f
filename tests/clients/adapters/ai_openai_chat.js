// ai with @ai-sdk/openai: its chat model; the provider's default speaks /v1/responses.
import { createOpenAI } from '@ai-sdk/openai';
import { connectWith, differences } from '../ai_calls.js';

export { differences };

export function connect(baseURL) {
  const provider = createOpenAI({ baseURL, apiKey: 'sk-test-key' });
  return connectWith((model) => provider.chat(model));
}
