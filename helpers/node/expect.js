// Exchanges written in JavaScript, in the words of the pages in Docs/format.

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
  const { optional, times, ...patterns } = typeof request === 'string' ? {} : request;
  const asked = typeof request === 'string' ? request : patterns;
  // What is undefined is left out of the JSON.
  return { request: asked, reply: (replies.length ? replies : [200]).map(reply), optional, times };
}
