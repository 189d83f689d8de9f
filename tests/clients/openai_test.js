// What the openai package's raw chunks, errors and headers show beside the table of all clients.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import OpenAI from 'openai';
import { messages, tools } from './conversation.js';
import { forgetRequests, requestsOf, requestsWhen, startDemo } from './demo.js';

const leakBefore = 'Let me check the tide table. ';
const leakAfter = 'High water at Brest is at 06:10.';
const corrected = 'High water at Brest is at 06:10 today.';

let demo;
let proxied;
let direct;

const clientOf = (baseURL) => new OpenAI({ baseURL, apiKey: 'sk-test-key', maxRetries: 0 });
const request = (model, more = {}) =>
  ({ model: `${model}?pace_ms=0`, messages, tools, stream: true, ...more });

/** Reads a raw stream to its end: text, ids, finish reasons, calls by index. */
async function collect(stream) {
  const got = { text: '', ids: new Set(), finishes: [], calls: [], roles: 0, chunks: 0 };
  for await (const chunk of stream) {
    got.chunks += 1;
    got.ids.add(chunk.id);
    for (const choice of chunk.choices) {
      got.text += choice.delta.content ?? '';
      if (choice.delta.role) got.roles += 1;
      if (choice.finish_reason) got.finishes.push(choice.finish_reason);
      for (const call of choice.delta.tool_calls ?? []) {
        const known = (got.calls[call.index] ??= { id: '', name: '', arguments: '' });
        known.id += call.id ?? '';
        known.name += call.function?.name ?? '';
        known.arguments += call.function?.arguments ?? '';
      }
    }
  }
  return got;
}

const ask = async (client, model, more) =>
  collect(await client.chat.completions.create(request(model, more)));

before(async () => {
  demo = await startDemo();
  proxied = clientOf(demo.proxy);
  direct = clientOf(demo.model);
});

after(() => demo?.stop());

beforeEach(() => forgetRequests(demo.model));

test('a clean stream arrives as the model sent it', async () => {
  for (const model of ['clean', 'prose', 'unicode', 'long', 'reasoning']) {
    const want = await ask(direct, model);
    await forgetRequests(demo.model);
    const got = await ask(proxied, model);
    assert.deepEqual(got, want, model);
    assert.equal((await requestsOf(demo.model)).length, 1, model);
  }
});

test('markup of every dialect is stripped', async () => {
  const listed = await proxied.models.list();
  const leaks = listed.data.map((model) => model.id).filter((id) => id.startsWith('leak-'));
  assert.ok(leaks.length >= 10, leaks.join());
  for (const model of leaks) {
    const want = model === 'leak-harmony' ? leakAfter : leakBefore + leakAfter;
    assert.equal((await ask(proxied, model)).text, want, model);
  }
});

test('markup as the whole answer is answered by one correction', async () => {
  const got = await ask(proxied, 'scaffold-only');
  assert.equal(got.text, corrected);
  assert.deepEqual(got.finishes, ['stop']);
  assert.equal(got.ids.size, 1);
  assert.equal(got.roles, 1);
  const [first, second, ...others] = await requestsOf(demo.model);
  assert.equal(others.length, 0);
  assert.deepEqual(JSON.parse(first.body), JSON.parse(JSON.stringify(request('scaffold-only'))));
  const asked = JSON.parse(second.body);
  assert.equal(asked.tools, undefined);
  assert.deepEqual(asked.messages.at(-1), messages.at(-1));
  assert.equal(asked.messages.length, 2);
  assert.match(asked.messages[0].content, /^You are a harbour desk assistant\.\nYour previous reply/);
});

test('a correction that fails is raised with the upstream\'s message', async () => {
  await assert.rejects(ask(proxied, 'scaffold-then-500'), (error) => {
    assert.equal(error.code, 'correction_failed');
    assert.match(error.message, /the engine is on fire/);
    return true;
  });
  assert.equal((await requestsOf(demo.model)).length, 2);
});

test('structured tool calls are intact', async () => {
  const want = await ask(direct, 'tools');
  await forgetRequests(demo.model);
  const got = await ask(proxied, 'tools');
  assert.equal(got.calls.length, 2);
  assert.match(got.calls[1].arguments, /<tool_call>/);
  assert.deepEqual(got, want);
  assert.deepEqual(got.finishes, ['tool_calls']);
  assert.equal((await requestsOf(demo.model)).length, 1);
});

test('usage comes when asked for, summed over both requests', async () => {
  const usageOf = async (client, model) => {
    const more = { stream_options: { include_usage: true } };
    const usages = [];
    for await (const chunk of await client.chat.completions.create(request(model, more))) {
      if (chunk.usage) usages.push(chunk.usage);
    }
    return usages;
  };
  const [first] = await usageOf(direct, 'scaffold-only');
  const summed = await usageOf(proxied, 'scaffold-only');
  assert.equal(summed.length, 1);
  assert.equal(summed[0].prompt_tokens, 2 * first.prompt_tokens);
});

test('an abort before the first byte closes the upstream within a second', async () => {
  const controller = new AbortController();
  const asked = proxied.chat.completions.create(request('fault-no-answer'),
    { signal: controller.signal });
  asked.catch(() => {});
  await requestsWhen(demo.model, (requests) => requests.length === 1);
  const aborted = Date.now();
  controller.abort();
  await assert.rejects(asked);
  const [record] = await requestsWhen(demo.model, ([first]) => first?.state === 'closed_by_peer');
  assert.ok(record.ended_unix_ms - aborted < 1000, `${record.ended_unix_ms - aborted} ms`);
});

test('a request of 3 MB passes', async () => {
  const long = 'Brest '.repeat(512 * 1024);
  const got = await ask(proxied, 'clean', { messages: [{ role: 'user', content: long }] });
  assert.match(got.text, /^The harbour opens at six\./);
  const [record] = await requestsOf(demo.model);
  assert.ok(record.body_bytes > 3 * 1024 * 1024);
});

test('upstream errors keep their status and headers', async () => {
  await assert.rejects(ask(proxied, 'fault-429'), (error) => {
    assert.equal(error.status, 429);
    assert.equal(error.headers.get('retry-after'), '7');
    assert.match(error.message, /too many requests/);
    return true;
  });
  await assert.rejects(ask(proxied, 'fault-500'), (error) => error.status === 500);
});

test('a stream that breaks is raised with its reason, behind the text that came', async () => {
  for (const model of ['fault-cut', 'fault-reset', 'fault-early-end', 'fault-half-event']) {
    let text = '';
    await assert.rejects(async () => {
      for await (const chunk of await proxied.chat.completions.create(request(model))) {
        text += chunk.choices[0]?.delta.content ?? '';
      }
    }, (error) => error.code === 'upstream_interrupted', model);
    assert.match(text, /^The harbour/, model);
  }
});
