// Clients that do what the cases ask. Run it with `node --test` in this folder.
import assert from 'node:assert/strict';
import http from 'node:http';
import https from 'node:https';
import { test } from 'node:test';
import { proctor } from 'proctor-http';

/** Loads with node:http or node:https, without following redirects. */
function load(url, options = {}) {
  const { get } = url.startsWith('https:') ? https : http;
  return new Promise((resolve, reject) => {
    get(url, { agent: false, ...options }, async (reply) => {
      let body = '';
      for await (const piece of reply.setEncoding('utf8')) body += piece;
      resolve({ status: reply.statusCode, body });
    }).on('error', reject);
  });
}

test('fetch follows a redirect', async (t) => {
  const run = await proctor(t).run('redirect/302-get-stays-get');
  const reply = await fetch(run.url('/start'));
  assert.equal(await reply.text(), 'ok\n');
  await run.verdict('follow');
});

test('the verdict is asked for at the end of the test', async (t) => {
  const run = await proctor(t).run('redirect/302-get-stays-get', { case: 'follow' });
  assert.equal((await fetch(run.url('/start'))).status, 200);
});

test('what the client made of the reply is judged too', async (t) => {
  const run = await proctor(t).run('redirect/302-get-stays-get');
  const { status, body } = await load(run.url('/start'));
  const { outcome } = await run.verdict('refuse', { status, body });
  assert.equal(outcome, 'pass');
});

for (const status of [301, 302, 303]) {
  test(`a ${status} turns POST into GET`, async (t) => {
    const run = await proctor(t).run(`redirect/${status}-post-becomes-get`, { case: 'follow' });
    const reply = await fetch(run.url('/form'), { method: 'POST', body: 'a=1' });
    assert.equal(await reply.text(), 'ok\n');
  });
}

test('a scenario of the test itself', async (t) => {
  const run = await proctor(t).inline(`
    summary: A client asks again after 503
    exchanges:
      - request: GET /job
        reply: [{ status: 503, headers: { Retry-After: "0" } }, { status: 200, body: "done\\n" }]
    cases:
      retry: { client: { url: /job }, wire: "request(GET /job){2}" }
  `);
  assert.equal((await load(run.url('/job'))).status, 503);
  assert.equal((await load(run.url('/job'))).body, 'done\n');
  await run.verdict();
  const targets = (await run.journal()).filter((line) => line.ev === 'requestHead').map((line) => line.target);
  assert.deepEqual(targets, ['/job', '/job']);
});

test('https with the authority of the server', async (t) => {
  const run = await proctor(t).run('tls/cert/valid', { case: 'unasked' });
  assert.equal((await load(run.url('/page'), { ca: run.ca })).body, 'secure\n');
});

test('an expired certificate is refused', async (t) => {
  const run = await proctor(t).run('tls/cert/expired');
  await assert.rejects(load(run.url('/page'), { ca: run.ca }), { code: 'CERT_HAS_EXPIRED' });
  await run.verdict('unasked', { error: 'serverCertificateHasBadDate' });
});

test('hosts with names are reached by their addresses', async (t) => {
  const run = await proctor(t).run('host/virtual-hosts', { case: 'url-of-the-answer' });
  const [host, port] = run.info.names.find(({ name }) => name === 'sibling.example.org').address.split(':');
  const { status } = await load(`http://${host}:${port}/page`, { headers: { host: 'sibling.example.org' } });
  assert.equal(status, 200);
});
