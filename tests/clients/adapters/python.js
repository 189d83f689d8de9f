// python_reader.py: Python's own http.client and a reader of event streams that knows no SDK.
import { fileURLToPath } from 'node:url';
import { answered, bodyOf } from '../conversation.js';
import { runProgram } from '../processes.js';

export const differences = {};

const reader = fileURLToPath(new URL('python_reader.py', import.meta.url));

export function connect(baseURL) {
  return ({ signal, onText, ...ask }) => answered(async (got) => {
    const { status, said } = await runProgram(['python3', reader, `${baseURL}/chat/completions`], {
      input: JSON.stringify(bodyOf(ask)),
      signal,
      onLine(line) {
        const event = JSON.parse(line);
        if (event.text) {
          got.text += event.text;
          onText?.();
        } else {
          Object.assign(got, event);
        }
      },
    });
    if (status !== 0) throw new Error(said.trim().split('\n').at(-1));
  });
}
