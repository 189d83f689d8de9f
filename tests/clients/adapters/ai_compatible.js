// ai with @ai-sdk/openai-compatible.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { connectWith, differences } from '../ai_calls.js';

export { differences };

export function connect(baseURL) {
  const provider = createOpenAICompatible({
    name: 'proxied', baseURL, apiKey: 'sk-test-key', includeUsage: true,
  });
  return connectWith((model) => provider.chatModel(model));
}
