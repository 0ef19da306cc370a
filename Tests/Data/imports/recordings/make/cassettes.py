"""Cassettes of vcrpy with requests and httpx: cassettes.py PORT FOLDER (pip: vcrpy requests httpx)."""

import sys

import httpx
import requests
import vcr
from requests.auth import HTTPDigestAuth

base, folder = f"http://127.0.0.1:{sys.argv[1]}", sys.argv[2]

with vcr.use_cassette(f"{folder}/vcrpy-requests.yaml", record_mode="all"):
    session = requests.Session()
    session.get(f"{base}/cart")
    session.post(f"{base}/login", json={"user": "ann", "password": "correct horse"})
    session.get(f"{base}/cart")
    session.get(f"{base}/old")
    session.get(f"{base}/zip")
    session.get(f"{base}/chunks")
    session.get(f"{base}/pixel.png")
    session.get(f"{base}/digest", auth=HTTPDigestAuth("ann", "pw"))
    session.post(f"{base}/upload", files={"photo": ("a.png", b"abc", "image/png")}, data={"note": "hi"})
    session.post(f"{base}/echo", data={"a": "1"})
    session.post(f"{base}/echo", data={"a": "2"})

with vcr.use_cassette(f"{folder}/vcrpy-httpx.json", record_mode="all", serializer="json"):
    with httpx.Client() as client:
        client.get(f"{base}/file", headers={"Range": "bytes=2-5"})
        client.get(f"{base}/file")
        client.get(f"{base}/old", follow_redirects=True)
        for _ in range(3):
            client.get(f"{base}/flaky")
