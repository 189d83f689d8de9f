// Every client through every scenario, each client with a proxy and a scripted model of its own.
// Ends with the table of both.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, beforeEach, describe, test } from 'node:test';
import { clients } from './clients.js';
import { forgetRequests, requestsOf, requestsWhen, saidBy, startDemo } from './demo.js';
import { asSaid, scenarios } from './scenarios.js';
import { ClientTable } from './table.js';

/** Why the npm clients can't run, if they can't. */
const withoutNpm = process.env.UNSCAFFOLD_WITHOUT_NPM;
const table = new ClientTable(
  clients.map((client) => client.name), scenarios.map((row) => row.name));

/** What the client must have at the end; `said` has the model's own text for each script. */
function check(row, got, said) {
  if (row.error) {
    assert.ok(got.error, 'no error was raised');
    assert.ok(String(got.error?.message).includes(row.error), `raised: ${got.error}`);
  } else {
    assert.equal(got.error, undefined, got.error?.stack);
    assert.equal(got.finish, row.finish);
    assert.equal(got.prompt, row.prompt);
    assert.deepEqual(got.calls, row.calls);
  }
  assert.equal(got.text, row.text === asSaid ? said.get(row.model) : row.text);
}

async function checkRequests(model, { requests, corrections }) {
  const seen = await requestsOf(model);
  assert.deepEqual(
    { requests: seen.length, corrections: seen.filter((one) => one.correction).length },
    { requests, corrections });
}

async function askOnce(row, { ask, model, said }) {
  const got = await ask(row);
  await checkRequests(model, row);
  check(row, got, said);
}

async function abortAtFirstText(row, { ask, model }) {
  const controller = new AbortController();
  let aborted = 0;
  await ask({
    ...row,
    signal: controller.signal,
    onText() {
      aborted ||= Date.now();
      controller.abort();
    },
  });
  const [record] = await requestsWhen(model, ([first]) => first?.state === 'closed_by_peer');
  assert.ok(record.ended_unix_ms - aborted < row.abort, `${record.ended_unix_ms - aborted} ms`);
  assert.ok(record.writes < 1000, `the model wrote ${record.writes} chunks`);
}

async function askTogether(row, { ask, model, said }) {
  const asked = Array.from({ length: row.together }, (_, i) =>
    scenarios.find(({ name }) => name === row.of[i % row.of.length]));
  await Promise.all(asked.map(async (one) =>
    check(one, await ask({ ...one, options: 'pace_ms=2' }), said)));
  const sum = (member) => asked.reduce((all, one) => all + one[member], 0);
  await checkRequests(model, { requests: sum('requests'), corrections: sum('corrections') });
}

function wayOf(row) {
  if (row.abort) return abortAtFirstText;
  return row.together ? askTogether : askOnce;
}

function whyNot({ program }) {
  if (!program) return withoutNpm;
  const runs = spawnSync(program, ['--version']).status === 0;
  return runs ? undefined : `${program} is not installed`;
}

function suiteOf({ name, adapter }) {
  let demo;
  const at = { said: new Map() };
  before(async () => {
    demo = await startDemo();
    at.model = demo.model;
    const send = adapter.connect(demo.proxy);
    at.ask = ({ model, options, ...more }) => send({ ...more, model: `${model}?${options}` });
    for (const { text, model } of scenarios) {
      if (text === asSaid) at.said.set(model, await saidBy(demo.model, model));
    }
  });
  after(() => demo?.stop());
  beforeEach(() => forgetRequests(demo.model));
  if (adapter.streamsOnly) table.note(name, adapter.streamsOnly);
  for (const row of scenarios) {
    if (!row.stream && adapter.streamsOnly) {
      table.leaveOut(name, row.name);
      continue;
    }
    const difference = adapter.differences[row.name];
    if (difference) table.note(name, `${row.name}: ${difference.why}`);
    test(row.name, { timeout: 60_000 }, () => table.noting(name, row.name, () =>
      wayOf(row)({ ...row, ...difference }, at)));
  }
}

const ready = [];
for (const client of clients) {
  const why = whyNot(client);
  if (why) table.skip(client.name, why);
  else ready.push({ ...client, adapter: await import(`./adapters/${client.file}`) });
}

describe('clients', { concurrency: true }, () => {
  for (const client of ready) describe(client.name, { concurrency: 1 }, () => suiteOf(client));
});

process.on('exit', (status) => {
  console.log(table.text());
  if (status === 0 && table.skipped) process.exitCode = 77;
});
