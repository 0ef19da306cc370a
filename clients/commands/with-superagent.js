const request = require("superagent");
const { method, url, follow, retry, body, headers, give } = require("./asked.js");

request(method, url).retry(retry ? 3 : 0).set(headers).redirects(follow ? 10 : 0).ok(() => true).buffer(true).parse(request.parse.image).serialize((content) => content).send(body)
  .then((reply) => give(reply.body));
