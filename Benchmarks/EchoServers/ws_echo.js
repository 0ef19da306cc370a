// The package ws, of Node.
const { WebSocketServer } = require("ws");

const server = new WebSocketServer({ host: "127.0.0.1", port: Number(process.argv[2]), perMessageDeflate: false, maxPayload: 64 << 20 });
server.on("connection", (link) => link.on("message", (data, isBinary) => link.send(data, { binary: isBinary })));
