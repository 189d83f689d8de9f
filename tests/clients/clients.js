// The clients, in the order of the table. `program` runs as it is; the others are packages of npm.

export const clients = [
  { name: 'openai', file: 'openai_raw.js' },
  { name: '.stream()', file: 'openai_helper.js' },
  { name: 'ai compat.', file: 'ai_compatible.js' },
  { name: 'ai openai', file: 'ai_openai_chat.js' },
  { name: 'langchain', file: 'langchain.js' },
  { name: 'agents', file: 'agents.js' },
  { name: 'curl', file: 'curl.js', program: 'curl' },
  { name: 'python', file: 'python.js', program: 'python3' },
];
