// Starts `unscaffold demo` on free ports, and asks its scripted model what it was asked.
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves to { proxy, model, stop } with both base URLs once both addresses were printed. */
export function startDemo() {
  const child = spawn(
    process.env.UNSCAFFOLD,
    ['demo', '--listen', '127.0.0.1:0', '--model-listen', '127.0.0.1:0', '--log-level', 'warn'],
    { stdio: ['ignore', 'ignore', 'pipe'] });
  const stop = () => new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill('SIGINT');
    setTimeout(() => child.kill('SIGKILL'), 5000).unref();
  });
  return new Promise((resolve, reject) => {
    let said = '';
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`demo ended with ${code}: ${said}`)));
    child.stderr.on('data', (bytes) => {
      said += bytes;
      const proxy = said.match(/proxy +(http:\S+)/);
      const model = said.match(/scripted model +(http:\S+)/);
      if (proxy && model) resolve({ proxy: proxy[1], model: model[1], stop });
    });
  });
}

/** The scripted model's log; `base` is its base URL. */
export async function requestsOf(base) {
  const answer = await fetch(new URL('/demo/requests', base));
  return (await answer.json()).requests;
}

/** The text of `script`, as the model itself says it when it is not asked to stream. */
export async function saidBy(base, script) {
  const answer = await fetch(`${base}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: script, messages: [] }),
  });
  return (await answer.json()).choices[0].message.content;
}

export async function forgetRequests(base) {
  await fetch(new URL('/demo/requests', base), { method: 'DELETE' });
}

/** Asks for the log until `good` holds for it; fails after `limitMs`. */
export async function requestsWhen(base, good, limitMs = 10_000) {
  const end = Date.now() + limitMs;
  for (;;) {
    const requests = await requestsOf(base);
    if (good(requests)) return requests;
    if (Date.now() > end) throw new Error(`not in time: ${JSON.stringify(requests)}`);
    await sleep(20);
  }
}
