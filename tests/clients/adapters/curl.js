// curl -sN: what a shell script sees, its lines read as they come.
import { answered, bodyOf, chunkTaker, takeCompletion } from '../conversation.js';
import { runProgram } from '../processes.js';

export const differences = {};

const command = (url) => [
  'curl', '-sN', url, '-H', 'content-type: application/json',
  '-H', 'authorization: Bearer sk-test-key', '--data-binary', '@-',
];

export function connect(baseURL) {
  return ({ signal, onText, ...ask }) => answered(async (got) => {
    const chunks = chunkTaker(got, onText);
    let body = '';
    let error;
    const { status } = await runProgram(command(`${baseURL}/chat/completions`), {
      input: JSON.stringify(bodyOf(ask)),
      signal,
      onLine(line) {
        if (!ask.stream) body += line;
        if (!line.startsWith('data: {')) return;
        const event = JSON.parse(line.slice(6));
        if (event.error) error = new Error(event.error.message);
        else chunks.take(event);
      },
    });
    if (!ask.stream) {
      const answer = JSON.parse(body);
      if (answer.error) throw new Error(answer.error.message);
      return takeCompletion(got, answer);
    }
    if (error) throw error;
    if (status !== 0) throw new Error(`curl ended with ${status}`);
    chunks.end();
  });
}
