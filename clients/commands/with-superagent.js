const request = require("superagent");
const { method, url, follow, body, headers, give } = require("./asked.js");

request(method, url).set(headers).redirects(follow ? 10 : 0).ok(() => true).buffer(true).parse(request.parse.image).serialize((content) => content).send(body)
  .then((reply) => give(reply.body));
