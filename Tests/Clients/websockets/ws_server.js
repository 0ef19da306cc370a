#!/usr/bin/env node
// Echoes messages by the server of Node's `ws`, with permessage-deflate; prints its port. `bye` is answered by Close 4002 "ü".
"use strict";
const { WebSocketServer } = require("ws");

const server = new WebSocketServer({
    host: "127.0.0.1", port: 0, perMessageDeflate: { threshold: 0 }, maxPayload: 2 << 20,
    handleProtocols: (offered) => (offered.has("b") ? "b" : false),
});
server.on("listening", () => console.log(server.address().port));
server.on("connection", (socket) => {
    socket.on("message", (data, isBinary) => {
        if (!isBinary && data.toString() === "bye") socket.close(4002, "ü");
        else socket.send(data, { binary: isBinary });
    });
});
