// The five tests that most suites begin with.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { on, proctor } from 'proctor-http';

test('waits as long as a 429 asks for', async (t) => {
  const run = await proctor(t).expect(on('GET /items', { status: 429, headers: { 'Retry-After': '0' } }, 'ok'));
  let reply = await fetch(run.url('/items'));
  if (reply.status === 429) reply = await fetch(run.url('/items'));
  assert.equal(await reply.text(), 'ok');
});

test('asks again after a 503', async (t) => {
  const run = await proctor(t).expect(on({ method: 'GET', path: '/job', times: { exactly: 2 } }, 503, 'done'));
  while ((await fetch(run.url('/job'))).status === 503);
});

test('a slow body ends in a read timeout', async (t) => {
  const run = await proctor(t).expect(on('GET /slow', { body: ['a', { do: 'wait 10s' }, 'b'] }));
  await assert.rejects(async () => (await fetch(run.url('/slow'), { signal: AbortSignal.timeout(200) })).text());
});

test('posts JSON', async (t) => {
  const run = await proctor(t).expect(on({ method: 'POST', path: '/items', json: { name: 'a' } }, 201));
  assert.equal((await fetch(run.url('/items'), { method: 'POST', body: '{"name":"a"}' })).status, 201);
});

test('sends the cookie of the login', async (t) => {
  const login = on('POST /login', { headers: { 'Set-Cookie': 'session=1' } });
  const run = await proctor(t).expect(login, on({ method: 'GET', path: '/account', cookies: { session: '1' } }, 'Ann'));
  const { headers } = await fetch(run.url('/login'), { method: 'POST' });
  const reply = await fetch(run.url('/account'), { headers: { cookie: headers.get('set-cookie') } });
  assert.equal(await reply.text(), 'Ann');
});
