"""What `proctor grade --rules-only` costs: a trace of many tasks, always the same, and the time and memory to judge it."""
import random
import re
import statistics
import subprocess
import sys
import time

HEADER = ('{"trace":"proctor","version":1,"client":"bench","clock":"monotonic","unit":"ns",'
          '"lanes":["task","session","handler","harness"]}\n')


def us(name, argument=None, **facts):
    return ("task", "US", name, argument, facts)


def answer(word, to):
    return ("harness", None, "answer", word, {"to": to})


def data_task(choose):
    steps = [[("harness", None, "resume", None, {})]]
    for number in range(choose.choice([0, 0, 0, 1, 1, 3])):
        steps.append([us("redirect", choose.choice(["301", "302", "307"]), to=f"/r{number}"), answer("follow", "redirect")])
    if choose.random() < 0.2:
        steps.append([us("challenge", "basic", realm="bench", failures=0), answer("use", "challenge")])
    count = choose.choice([1, 1, 2, 4, 16])
    steps.append([us("response", "200", mime="text/plain", expectedLength=1000 * count), answer("allow", "response")])
    steps += [[us("data", bytes=1000)] for _ in range(count)]
    return steps + [[us("complete", "ok")]]


def download_task(choose):
    count = choose.choice([1, 4, 8])
    steps = [[("harness", None, "resume", None, {})]]
    steps += [[("task", "UD", "progress", None, {"n": 4096, "total": 4096 * (n + 1), "expected": 4096 * count})]
              for n in range(count)]
    return steps + [[("task", "UD", "fileReady", None, {"bytes": 4096 * count})], [("task", "UD", "complete", "ok", {})]]


def handler_task(choose):
    return [[("harness", None, "resume", None, {})], [("handler", "HT", "handler", "ok", {"status": 200, "bytes": 12})]]


def write_trace(path, count):
    """Four tasks at a time, each callback with its exit; always the same bytes for the same count."""
    choose = random.Random(9112)
    kinds = [data_task] * 7 + [download_task] * 2 + [handler_task]
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEADER)
        sequence = tasks = 0
        running = []
        while sequence < count or running:
            while len(running) < 4 and sequence < count:
                running.append((tasks, choose.choice(kinds)(choose)))
                tasks += 1
            place = choose.randrange(len(running))
            task, steps = running[place]
            events = steps.pop(0)
            first = events[0]
            if first[0] == "task":
                # The callback returns when all that the test did inside is done.
                events = events + [(first[0], None, first[2], None, None)]
            for lane, family, name, argument, facts in events:
                sequence += 1
                line = f'{{"seq":{sequence},"ns":{81230012000000 + sequence * 1000},"lane":"{lane}","task":{task},"ev":"{name}"'
                if argument:
                    line += f',"arg":"{argument}"'
                if facts is None:
                    line += ',"phase":"exit"'
                line += ',"queue":"delegate queue","thread":"t3"' if lane != "harness" else ',"thread":"t1"'
                if family:
                    line += f',"family":"{family}"'
                if facts:
                    members = (f'"{key}":{value}' if isinstance(value, int) else f'"{key}":"{value}"' for key, value in facts.items())
                    line += f',"facts":{{{",".join(members)}}}'
                file.write(line + "}\n")
            if not steps:
                running.pop(place)
    return sequence, tasks


def judge(binary, path):
    """Seconds from start to exit, and the most memory in bytes."""
    begin = time.perf_counter()
    process = subprocess.Popen([binary, "grade", "--rules-only", path], stdout=subprocess.PIPE, text=True)
    memory = 0
    while process.poll() is None:
        # Of the program itself; what wait4 reports begins with the memory of this script, from which it was forked.
        with open(f"/proc/{process.pid}/status", encoding="utf-8") as status:
            found = re.search(r"^VmHWM:\s+(\d+)", status.read(), re.M)
        memory = int(found.group(1)) * 1024 if found else memory
        time.sleep(0.002)
    seconds = time.perf_counter() - begin
    out = process.stdout.read()
    process.stdout.close()
    if process.returncode != 0 or ", 0 rule hits, 0 lanes refused" not in out:
        sys.exit(f"grading the benchmark's trace gave:\n{out}")
    return seconds, memory


def bench_grading(binary, folder, table, rounds):
    figures = []
    for count in (100_000, 1_000_000):
        path = folder / f"trace-{count}.jsonl"
        events, tasks = write_trace(path, count)
        size = path.stat().st_size
        runs = [judge(binary, path) for _ in range(rounds)]
        path.unlink()
        seconds = statistics.median(run[0] for run in runs)
        memory = max(run[1] for run in runs)
        figures.append((seconds, memory))
        table.add(f"grade {count:,} events of {tasks:,} tasks ({size / 1e6:.0f} MB of JSON lines) by all rules",
                  f"{seconds:.2f} s (best {min(run[0] for run in runs):.2f} s)", "–", "–")
    (_, few), (_, many) = figures
    table.add("memory for grading 1,000,000 events, at its peak", f"{many / 2**20:.1f} MiB",
              f"100,000 events {few / 2**20:.1f} MiB", f"{many / few:.2f}")
