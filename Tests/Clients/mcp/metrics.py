#!/usr/bin/env python3
"""Reads the metrics of a server with the parser of prometheus_client, before and after some requests.

    metrics.py BASE    the server serves GET /ok, and nothing else at /; exits 1 and says what is otherwise
"""
import sys
import urllib.error
import urllib.request

from prometheus_client.parser import text_string_to_metric_families

base = sys.argv[1]
faults = []


def samples():
    with urllib.request.urlopen(f"{base}/__proctor/metrics") as reply:
        kind, text = reply.headers["Content-Type"], reply.read().decode()
    if not kind.startswith("text/plain; version=0.0.4"):
        faults.append(f"the type is {kind}")
    families = list(text_string_to_metric_families(text))
    for family in families:
        if not family.documentation or family.type not in ("counter", "gauge"):
            faults.append(f"{family.name} has no help, or the type {family.type}")
    return {(sample.name, *sorted(sample.labels.items())): sample.value for family in families for sample in family.samples}


def get(path):
    try:
        with urllib.request.urlopen(base + path) as reply:
            return reply.read()
    except urllib.error.HTTPError as error:
        return error.read()


def expect(name, difference, **labels):
    key = (name, *sorted(labels.items()))
    seen = after.get(key, 0) - before.get(key, 0)
    if seen != difference:
        faults.append(f"{key} grew by {seen}, and {difference} was expected")


before = samples()
size = sum(len(get("/ok")) for _ in range(3))
get("/other")
after = samples()
expect("proctor_requests_total", 4, place="shared")
expect("proctor_missed_requests_total", 1, place="shared")
expect("proctor_replies_total", 3, place="shared", status="2xx")
expect("proctor_replies_total", 1, place="shared", status="4xx")
# The first look at the metrics is a request itself, and its reply.
expect("proctor_requests_total", 1, place="server")
expect("proctor_replies_total", 1, place="server", status="2xx")
if after[("proctor_sent_bytes_total", ("place", "shared"))] < size:
    faults.append("fewer bytes were sent than came")
if not 0 < after[("process_resident_memory_bytes",)] < 1 << 34:
    faults.append("the memory can't be right")
if after[("process_cpu_seconds_total",)] < before[("process_cpu_seconds_total",)]:
    faults.append("the processor time went back")
for key, value in before.items():
    if key[0].endswith("_total") and after.get(key, -1) < value:
        faults.append(f"{key} went back from {value} to {after.get(key)}")
print(f"{len(faults)} faults")
print("\n".join(faults))
sys.exit(bool(faults))
