"""Many requests at once, each on a connection of its own.

Arguments: the URL and how many. Prints the list of bodies in the order in which they came.
"""

import json
import sys
import threading

import requests

url, count = sys.argv[1], int(sys.argv[2])
together = threading.Barrier(count)
lock = threading.Lock()
bodies = []


def ask():
    with requests.Session() as session:
        session.trust_env = False
        together.wait(timeout=60)
        body = session.get(url, timeout=60).text
        with lock:
            bodies.append(body)


threads = [threading.Thread(target=ask, daemon=True) for _ in range(count)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join(timeout=150)
print(json.dumps(bodies))
