#!/usr/bin/env python3
"""Intermediaries that look at nothing: null.py KIND LISTEN UPSTREAM, with KIND answers, closes or tunnel.

What they pass shows what a case of via/ rests on: `Scripts/via.py nulls`.
"""

import socket
import sys
import threading

KIND, (HOST, PORT), (TO, TO_PORT) = sys.argv[1], *(text.rsplit(":", 1) for text in sys.argv[2:4])


def pump(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def serve(client):
    with client:
        if KIND == "closes":
            return
        try:
            if KIND == "answers":
                while client.recv(65536):
                    client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n")
                return
            with socket.create_connection((TO, int(TO_PORT))) as server:
                back = threading.Thread(target=pump, args=(server, client), daemon=True)
                back.start()
                pump(client, server)
                back.join()
        except OSError:
            pass


listener = socket.create_server((HOST, int(PORT)), backlog=64)
while True:
    threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()
