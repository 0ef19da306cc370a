// Clients that break a rule on purpose, to show what a failure looks like: each of these tests fails.
import assert from 'node:assert/strict';
import http from 'node:http';
import { test } from 'node:test';
import { proctor } from 'proctor-http';

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

/** Follows redirects, and keeps the method for all of them, which RFC 9110 §15.4.4 does not allow for 303. */
function load(url, method) {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method, agent, headers: { 'Content-Length': 0 } }, (reply) => {
      const { location } = reply.headers;
      reply.resume().on('end', () => resolve(location ? load(location, method) : reply));
    });
    request.on('error', reject).end();
  });
}

test('a 303 turns POST into GET', async (t) => {
  const run = await proctor(t).run('redirect/303-post-becomes-get');
  await load(run.url('/form'), 'POST');
  await run.verdict('follow');
});

test('what the client throws is shown with the timeline', async (t) => {
  const run = await proctor(t).run('redirect/303-post-becomes-get', { case: 'follow' });
  const reply = await load(run.url('/form'), 'POST');
  assert.equal(reply.statusCode, 200);
});

test('a client that sends nothing', async (t) => {
  const run = await proctor(t).run('redirect/303-post-becomes-get', { case: 'follow' });
  assert.ok(run.url('/form'));
});
