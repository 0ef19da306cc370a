"""network_exam.py PROCTOR FOLDER ADAPTER [ARGUMENT ...]: an exam and an adapter over the network, two processes.

The exam is begun with `--adapter tcp://127.0.0.1:0` and the arguments; when it says where it waits, proctor_remote.py of the
kit for Python connects there with ADAPTER. Prints one JSON object: the exit codes and what both said. FOLDER is where both run.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import threading

LIMIT = 300  # seconds for the exam
KIT = pathlib.Path(__file__).resolve().parent.parent.parent / "clients/kits/python/proctor_remote.py"


def main():
    proctor, folder, adapter, *arguments = sys.argv[1:]
    exam = subprocess.Popen(
        [proctor, "exam", "--adapter", "tcp://127.0.0.1:0", *arguments], cwd=folder, text=True, errors="replace",
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    watch = threading.Timer(LIMIT, exam.kill)
    watch.start()
    said, remote, waiting = [], None, re.compile(r"start it with (PROCTOR_ADAPTER)=(\S+) (PROCTOR_ADAPTER_TOKEN)=(\S+)")
    out = []
    reader = threading.Thread(target=lambda: out.append(exam.stdout.read()))
    reader.start()
    for line in exam.stderr:
        said.append(line)
        found = waiting.search(line)
        if found and adapter != "-":
            environment = {**os.environ, found[1]: found[2], found[3]: found[4]}
            remote = subprocess.Popen(
                [sys.executable, "-E", "-s", "-B", str(KIT), adapter], cwd=folder, env=environment, text=True,
                errors="replace", stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    status = exam.wait()
    reader.join()
    watch.cancel()
    result = {"status": status, "out": "".join(out), "err": "".join(said), "remote": None, "remoteErr": ""}
    if remote:
        _, result["remoteErr"] = remote.communicate(timeout=60)
        result["remote"] = remote.returncode
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
