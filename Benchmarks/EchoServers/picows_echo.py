"""picows, whose frames are read by C; on uvloop."""
import asyncio
import sys

import uvloop
from picows import WSListener, WSMsgType, ws_create_server


class Echo(WSListener):
    def on_ws_frame(self, transport, frame):
        if frame.msg_type == WSMsgType.CLOSE:
            transport.send_close(frame.get_close_code(), frame.get_close_message())
            transport.disconnect()
        else:
            transport.send(frame.msg_type, frame.get_payload_as_memoryview())


async def main():
    server = await ws_create_server(lambda request: Echo(), "127.0.0.1", int(sys.argv[1]), max_frame_size=64 << 20)
    await server.serve_forever()


uvloop.install()
asyncio.run(main())
