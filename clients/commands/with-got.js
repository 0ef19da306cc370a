const got = require("got");
const { method, url, follow, retry, body, headers, give } = require("./asked.js");

const more = { throwHttpErrors: false, retry: retry ? { limit: 3, calculateDelay: ({ computedValue }) => computedValue && Math.min(computedValue, 1000) } : 0, responseType: "buffer", allowGetBody: true };
got(url, { method, body, headers, followRedirect: follow, ...more }).then((reply) => give(reply.body));
