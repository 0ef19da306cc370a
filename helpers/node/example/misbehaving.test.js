// Clients that break a rule on purpose, to show what a failure looks like: each of these tests fails.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proctor } from 'proctor-testing';

/** Follows redirects, and keeps method and body for all of them, which RFC 9110 §15.4.4 does not allow for 303. */
async function load(url, options) {
  const reply = await fetch(url, { ...options, redirect: 'manual' });
  await reply.arrayBuffer();
  const location = reply.headers.get('location');
  return location ? load(location, options) : reply;
}

test('a 303 turns POST into GET', async (t) => {
  const run = await proctor(t).run('redirect/303-post-becomes-get');
  await load(run.url('/form'), { method: 'POST', body: 'a=1' });
  await run.verdict('follow');
});

test('what the client throws is shown with the timeline', async (t) => {
  const run = await proctor(t).run('redirect/303-post-becomes-get', { case: 'follow' });
  const reply = await load(run.url('/form'), { method: 'POST', body: 'a=1' });
  assert.equal(reply.status, 200);
});

test('a client that sends nothing', async (t) => {
  const run = await proctor(t).run('redirect/303-post-becomes-get', { case: 'follow' });
  assert.ok(run.url('/form'));
});
