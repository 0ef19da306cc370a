#!/usr/bin/env python3
"""Asks a server of DNS, one question after the other, and tells each reply in a line.

    dns_ask.py ADDRESS:PORT QUESTION...

A question is `udp:NAME:TYPE`, `tcp:NAME:TYPE`, or `udp:HEX` for a datagram of any bytes; behind `silent:HEX` nothing may come.
"""

import socket
import struct
import sys

TYPES = {"A": 1, "CNAME": 5, "AAAA": 28}
NAMES = {number: name for name, number in TYPES.items()}
CODES = {0: "NOERROR", 1: "FORMERR", 3: "NXDOMAIN", 4: "NOTIMP", 5: "REFUSED"}


def query(number, name, kind):
    labels = b"".join(bytes([len(label)]) + label.encode() for label in name.split(".")) + b"\0"
    return struct.pack(">HHHHHH", number, 0x0100, 1, 0, 0, 0) + labels + struct.pack(">HH", TYPES[kind], 1)


def name_at(message, place):
    """A name and the place behind it."""
    labels, end = [], None
    while message[place]:
        if message[place] >= 0xC0:
            end = end or place + 2
            place = (message[place] & 0x3F) << 8 | message[place + 1]
        else:
            labels.append(message[place + 1 : place + 1 + message[place]].decode())
            place += 1 + message[place]
    return ".".join(labels), end or place + 1


def told(message, asked):
    number, flags, questions, answers, _, _ = struct.unpack(">HHHHHH", message[:12])
    words = [CODES.get(flags & 15, str(flags & 15))] + (["truncated"] if flags & 0x200 else [])
    if number != struct.unpack(">H", asked[:2])[0]:
        words.append("of another number")
    place = 12
    for _ in range(questions):
        place = name_at(message, place)[1] + 4
    if questions and message[12:place].lower() != asked[12:].lower():
        words.append("of another question")
    for _ in range(answers):
        name, place = name_at(message, place)
        kind, _, _, length = struct.unpack(">HHIH", message[place : place + 10])
        place += 10
        data = message[place : place + length]
        value = name_at(message, place)[0] if kind == TYPES["CNAME"] else ".".join(map(str, data))
        words.append(f"{name} {NAMES.get(kind, kind)} {value}")
        place += length
    return ", ".join(words)


host, port = sys.argv[1].split(":")
for index, question in enumerate(sys.argv[2:]):
    way, _, rest = question.partition(":")
    message = query(index, *rest.split(":")) if ":" in rest else bytes.fromhex(rest)
    if way == "tcp":
        with socket.create_connection((host, int(port)), 60) as stream:
            stream.sendall(struct.pack(">H", len(message)) + message)
            reply = stream.makefile("rb")
            print(told(reply.read(struct.unpack(">H", reply.read(2))[0]), message))
        continue
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams:
        datagrams.settimeout(60 if way == "udp" else 0.05)
        datagrams.sendto(message, (host, int(port)))
        try:
            print(told(datagrams.recv(65536), message))
        except TimeoutError:
            print("nothing")
