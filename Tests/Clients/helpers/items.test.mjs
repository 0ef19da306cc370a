import assert from 'node:assert';
import test from 'node:test';
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
