const got = require("got");
const { method, url, follow, body, headers, give } = require("./asked.js");

const more = { throwHttpErrors: false, retry: 0, responseType: "buffer", allowGetBody: true };
got(url, { method, body, headers, followRedirect: follow, ...more }).then((reply) => give(reply.body));
