const axios = require("axios");
const { method, url, follow, body, headers, give } = require("./asked.js");

const more = follow ? {} : { maxRedirects: 0 };
axios({ method, url, data: body, headers, responseType: "arraybuffer", validateStatus: null, ...more }).then((reply) => give(reply.data));
