// Exchanges written in JavaScript, in the words of Docs/fixtures.md.

function reply(value) {
  if (typeof value === 'number') return { status: value };
  if (typeof value === 'string') return { status: 200, body: value };
  return { status: 200, ...value };
}

/**
 * An exchange: what is asked, as 'GET /job' or as a mapping with method, path and patterns, and the reply to each time, in turn;
 * the last one stays. A number is a status, a text is a body, and a mapping is a reply as a fixture has it, with status 200 unless
 * it says otherwise.
 */
export function on(request, ...replies) {
  if (typeof request === 'string') return { request, reply: (replies.length ? replies : [200]).map(reply) };
  const { optional, times, ...patterns } = request;
  const exchange = { request: patterns, reply: (replies.length ? replies : [200]).map(reply) };
  if (optional !== undefined) exchange.optional = optional;
  if (times !== undefined) exchange.times = times;
  return exchange;
}
