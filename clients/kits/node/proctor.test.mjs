// node --test clients/kits/node

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { Unimplemented, bodyFacts, content, fieldFacts, isStreamed, place } from "./proctor.mjs";

const kit = new URL("proctor.mjs", import.meta.url).href;
const adapter = `
  import { Unimplemented, serve } from ${JSON.stringify(kit)};
  await serve({
    client: "tiny", revision: "2", version: "1.0", abilities: ["cancel"], facts: ["status"], moments: ["data", "response"],
    refuse({ url }, cannot) { if (url === "refused") cannot("url", "wants another"); },
    async run({ steps }, trace) {
      for (const [task, step] of steps.entries()) {
        trace.event("resume", task);
        if (step.url === "callback") trace.event("esEvent", task, { lane: "task", family: "ES", arg: "add", facts: { data: "1" } });
        if (step.url === "hang") await new Promise(() => setTimeout(() => {}, 60_000));
        trace.event("result", task, { facts: { status: 200 } });
      }
    },
  });`;

const step = (more) => ({
  method: "GET", url: "http://127.0.0.1:1/", headers: [], bodyForm: "data", onRedirect: [{ answer: "follow" }],
  onChallenge: [], beforehand: { follow: true }, onResponse: "allow", ...more,
});
const assignment = (more, rest) => JSON.stringify({
  version: 1, scenario: "a/b", case: "c", deadline: 20_000, session: { cookies: "always" }, steps: [step(more)],
  ...rest,
});

function run(input, environment = {}, words = []) {
  const command = ["--input-type=module", "-e", adapter, "--", "tiny", ...words];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    input, encoding: "utf8", timeout: 60_000, env: { ...process.env, ...environment },
  });
  return { status, stderr, lines: stdout.split("\n").slice(0, -1) };
}

test("a trace has a header and events of the monotonic clock", () => {
  const before = process.hrtime.bigint();
  const { status, lines } = run(assignment());
  const after = process.hrtime.bigint();
  assert.equal(status, 0);
  const [header, resume, result] = lines.map((line) => JSON.parse(line));
  assert.deepEqual([header.client, header.clientVersion, header.adapterVersion], ["tiny", "1.0", "2"]);
  assert.deepEqual([header.scenario, header.case, header.lanes], ["a/b", "c", ["harness"]]);
  assert.deepEqual([resume.ev, resume.seq, result.ev, result.seq], ["resume", 1, "result", 2]);
  assert.deepEqual(result.facts, { status: 200 });
  for (const line of lines.slice(1)) {
    const at = BigInt(/"ns":([0-9]+)/.exec(line)[1]);
    assert.ok(before < at && at < after);
  }
});

test("many assignments have a trace each, with an empty line behind it", () => {
  const input = `${assignment()}\n${assignment({ url: "refused" })}\n`;
  const { status, lines } = run(input, { PROCTOR_ASSIGNMENTS: "many" });
  assert.equal(status, 0);
  const names = lines.map((line) => (line ? JSON.parse(line).ev ?? "header" : ""));
  assert.deepEqual(names, ["header", "resume", "result", "", "header", "unimplemented", ""]);
});

test("what the client lacks, or can't be told before a load, is refused before the first request", () => {
  const use = [{ answer: "use", user: "a" }];
  const refused = [
    [{}, { needs: ["cancel", "suspend"] }, "needs: tiny has no suspend"],
    [{ onChallenge: use }, {}, "steps[0].onChallenge: tiny answers no challenge"],
    [{ beforehand: undefined }, {}, "steps[0].beforehand: tiny is told no such answers before a load"],
    [{ cancelAt: { event: "redirect", count: 1 } }, {}, "steps[0].cancelAt: tiny can't be cancelled at redirect"],
    [{ onResponse: "never" }, {}, "steps[0].onResponse: tiny can't say never"],
    [{ download: {} }, {}, "steps[0].download: tiny decides nothing about a file"],
    [{ url: "refused" }, {}, "steps[0].url: tiny wants another"],
  ];
  for (const [more, rest, reason] of refused) {
    const line = JSON.parse(run(assignment(more, rest)).lines[1]);
    assert.deepEqual([line.ev, line.arg], ["unimplemented", reason]);
  }
  const early = { cancelAt: { event: "response", count: 1 }, onResponse: "never" };
  for (const more of [early, { cancelAt: { event: "data", count: 1 } }, { onChallenge: use, challengeCount: 0 }]) {
    assert.equal(run(assignment(more, { needs: ["cancel"] })).lines.length, 3);
  }
});

test("a callback stands in its own lane", () => {
  const { seq, ns, ...callback } = JSON.parse(run(assignment({ url: "callback" })).lines[2]);
  assert.deepEqual(callback, { lane: "task", task: 0, ev: "esEvent", arg: "add", family: "ES", facts: { data: "1" } });
});

test("a step that is open at the deadline has a result of the adapter", () => {
  const { status, lines } = run(assignment({ url: "hang" }, { deadline: 700 }));
  assert.equal(status, 0);
  const { ev, facts } = JSON.parse(lines[2]);
  assert.deepEqual([ev, facts.error, facts.domain], ["result", "timedOut", "adapter"]);
});

test("what is no assignment ends with 64 and a line that says why", () => {
  const inputs = [["{", "JSON"], ['{"version": 2}', "version 2"], [assignment({ url: undefined }), "steps[0].url"]];
  for (const [input, text] of inputs) {
    const { status, stderr } = run(input);
    assert.equal(status, 64);
    assert.ok(stderr.includes(text), stderr);
  }
  assert.equal(run("", {}, ["--nonsense"]).status, 64);
  assert.deepEqual(run("", {}, ["--version"]).lines, ["tiny 1.0"]);
});

test("bodies, fields, names and answers are as the page says", () => {
  assert.equal(content({ text: "ab", count: 5 }).toString(), "ababa");
  assert.deepEqual([...content({ base64: "AP8=" })], [0, 255]);
  assert.throws(() => content({ text: "a", count: 1 << 30 }), Unimplemented);
  assert.deepEqual(bodyFacts([Buffer.from("ok")], 2), { bytes: 2, body: "ok" });
  assert.deepEqual(bodyFacts([Buffer.from([255])], 1), { bytes: 1, bodyBase64: "/w==" });
  assert.deepEqual(bodyFacts([], 7), { bytes: 7 });
  const find = (name) => ({ A: "1", B: "" })[name];
  assert.deepEqual(fieldFacts({ fieldNames: ["A", "B", "C"] }, find), { header: "A: 1\nB: " });
  assert.deepEqual(fieldFacts({}, find), {});
  const names = [
    { name: "a.example", port: 80, address: "[::1]:9" }, { name: "b.example", port: 80, address: "unix:/s" },
  ];
  assert.deepEqual(place({ names }, "A.Example.", 80), { host: "::1", port: 9 });
  assert.deepEqual(place({ names }, "b.example", 80), { path: "/s" });
  assert.equal(place({ names }, "b.example", 81), undefined);
  assert.ok(isStreamed({ bodyForm: "bound-pair" }) && !isStreamed({ bodyForm: "file" }));
});
