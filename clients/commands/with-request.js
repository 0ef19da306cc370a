const request = require("request");
const { method, url, follow, body, headers, give } = require("./asked.js");

request({ method, url, body, headers, followAllRedirects: follow, followRedirect: follow, encoding: null }, (failure, reply, content) => {
  if (failure) throw failure;
  give(content);
});
