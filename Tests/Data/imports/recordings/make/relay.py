"""A relay that writes down the bytes of both directions, one connection behind the other: relay.py PORT UPSTREAM FILE."""

import socket
import sys

port, upstream, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
listener = socket.create_server(("127.0.0.1", port))
print("ready", flush=True)
with open(path, "wb", buffering=0) as dump:
    while True:
        client, _ = listener.accept()
        server = socket.create_connection(("127.0.0.1", upstream))
        # One side speaks at a time with the clients of these recordings.
        client.settimeout(0.15)
        server.settimeout(0.15)
        silent = 0
        while silent < 4:
            for source, target in ((client, server), (server, client)):
                try:
                    data = source.recv(65536)
                except TimeoutError:
                    silent += 1
                    continue
                silent = 4 if not data else 0
                if not data:
                    break
                dump.write(data)
                target.sendall(data)
        client.close()
        server.close()
