"""One requests.Session uses several runs at once: a thread for each, all in step.

Arguments: the number of turns, then the base of each run. Prints {base: {"bodies": [...], "cookies": {...}}}.
"""

import json
import sys
import threading

import requests

turns, bases = int(sys.argv[1]), sys.argv[2:]
session = requests.Session()
session.trust_env = False
together = threading.Barrier(len(bases))
bodies = {base: [] for base in bases}


def use(base):
    for _ in range(turns):
        together.wait(timeout=60)
        bodies[base].append(session.get(base + "/turn", timeout=60).text)


threads = [threading.Thread(target=use, args=(base,), daemon=True) for base in bases]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join(timeout=150)

stored = [(cookie.domain, cookie.value) for cookie in session.cookies]
session.close()
print(json.dumps({"bodies": bodies, "cookies": stored}))
