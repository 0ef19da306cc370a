import assert from 'node:assert';
import { connect } from 'node:net';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { on, proctor } from 'proctor-http';

test('loads at once share the stubs', async (t) => {
  const server = proctor(t);
  server.on('GET /items').reply(200, { json: [] }).times(5);
  const urls = await Promise.all([1, 2, 3, 4, 5].map(() => server.url('/items')));
  assert.equal(new Set(urls).size, 1);
  await Promise.all(urls.map(async (url) => (await fetch(url)).text()));
});

const values = [
  [{ a: () => 1 }, 'json /a is () => 1, for which JSON has no form'], [[1, { 'b/c': 10n }], 'json /1/b~1c is 10'], [{ a: NaN }, 'json /a is NaN'],
  [{ a: new Map() }, 'json /a is Map'], [[undefined], 'json /0 is undefined'],
];
for (const [value, told] of values) {
  test(`JSON has no form for it: ${told}`, () => {
    assert.throws(() => on('GET /items').reply(200, { json: value }), (error) => error.message.includes(told));
  });
}

test('a list that contains itself', () => {
  const value = [];
  value.push(value);
  assert.throws(() => on('GET /items').reply(200, { json: value }), /json is nested deeper than 200 values, or contains itself/);
});

test('content that came coded', async (t) => {
  const server = proctor(t);
  const items = server.on('POST /items').having({ json: { name: 'desk' } }).reply(201);
  const coded = gzipSync('{"name":"desk"}');
  await (await fetch(await server.url('/items'), { method: 'POST', body: coded, headers: { 'Content-Encoding': 'gzip' } })).text();
  const [request] = await items.requests();
  assert.equal(request.text, '{"name":"desk"}');
  assert.deepEqual(request.json, { name: 'desk' });
  assert.ok(coded.equals(request.codedBody));
});

for (const end of ['read', 'left', 'reset']) {
  test(`a request that was ${end}`, async (t) => {
    const server = proctor(t);
    const effect = end === 'read' ? { at: 'body 4', do: 'wait 1ms' } : { at: 'body 2', do: 'stall' };
    const items = server.on('GET /items').reply(200, { body: 'long', effects: [effect] });
    const url = new URL(await server.url('/items'));
    const client = connect(url.port, url.hostname);
    client.write(`GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`);
    await new Promise((done) => {
      let heard = '';
      client.on('data', (piece) => { heard += piece; if (heard.endsWith(end === 'read' ? 'long' : 'lo')) done(); });
    });
    if (end === 'reset') client.resetAndDestroy();
    else client.destroy();
    while ((await items.requests())[0].end === undefined);
    assert.equal((await items.requests())[0].end, end);
  });
}
