"""socketify, which is uWebSockets with callbacks in Python."""
import sys

from socketify import App, CompressOptions

app = App()
app.ws("/*", {
    "compression": CompressOptions.DISABLED, "max_payload_length": 64 << 20, "idle_timeout": 60,
    "max_backpressure": 64 << 20, "message": lambda ws, message, opcode: ws.send(message, opcode),
})
app.listen({"host": "127.0.0.1", "port": int(sys.argv[1])}, lambda config: None)
app.run()
