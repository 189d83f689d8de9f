// Runs clients that are programs of their own.
import { spawn } from 'node:child_process';

/**
 * Runs `command`, writes `input` to it and hands each line of its output to `onLine`. Resolves to
 * { status, said } with what it wrote to standard error. An abort kills it, as a user would.
 */
export function runProgram(command, { input, signal, onLine }) {
  const [program, ...rest] = command;
  const child = spawn(program, rest, { stdio: 'pipe' });
  const kill = () => child.kill('SIGINT');
  signal?.addEventListener('abort', kill, { once: true });
  child.stdin.on('error', () => {}); // a program may end without reading all of it
  child.stdin.end(input);
  let said = '';
  let line = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
  child.stdout.setEncoding('utf8').on('data', (text) => {
    const lines = (line + text).split('\n');
    line = lines.pop();
    lines.forEach(onLine);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => {
      if (line) onLine(line);
      resolve({ status, said });
    });
  });
}
