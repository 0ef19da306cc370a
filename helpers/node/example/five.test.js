// The five tests that most suites begin with.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { proctor } from 'proctor-http';

test('waits as long as a 429 asks for', async (t) => {
  const stubs = proctor(t);
  const items = stubs.on('GET /items').reply(429, { headers: { 'Retry-After': '1' } }).reply(200, 'ok').times(2);
  for (let reply; (reply = await fetch(await stubs.url('/items'))).status === 429;) await setTimeout(1000 * reply.headers.get('retry-after'));
  const [first, second] = await items.requests();
  assert.ok(second.time - first.time >= 1000);
  assert.equal(first.end, 'read');
});

test('asks again after a 503', async (t) => {
  proctor(t).on('GET /job').reply(503).reply(200, 'done').times(2);
  while ((await fetch(await proctor(t).url('/job'))).status === 503);
});

test('a slow body ends in a read timeout', async (t) => {
  proctor(t).on('GET /slow').reply(200, { body: ['a', { do: 'wait 10s' }, 'b'] });
  const url = await proctor(t).url('/slow');
  await assert.rejects(async () => (await fetch(url, { signal: AbortSignal.timeout(1000) })).text());
});

test('posts JSON', async (t) => {
  const stubs = proctor(t);
  const items = stubs.on('POST /items').having({ json: { name: 'a' } }).reply(201, { json: { id: 7 } });
  const message = { method: 'POST', body: '{"name":"a"}', headers: { 'Content-Type': 'application/json' } };
  assert.deepEqual(await (await fetch(await stubs.url('/items'), message)).json(), { id: 7 });
  assert.equal((await items.requests())[0].header('Content-Type'), 'application/json');
});

test('sends the cookie of the login', async (t) => {
  const stubs = proctor(t);
  stubs.on('POST /login').reply(200, { headers: { 'Set-Cookie': 'session=1' } });
  stubs.on('GET /account').having({ cookies: { session: '1' } }).reply(200, 'Ann');
  const { headers } = await fetch(await stubs.url('/login'), { method: 'POST' });
  const reply = await fetch(await stubs.url('/account'), { headers: { cookie: headers.get('set-cookie') } });
  assert.equal(await reply.text(), 'Ann');
});
