// node --test clients/kits/node

import assert from "node:assert/strict";
import { test } from "node:test";
import { converse, refuseSteps } from "./websocket.mjs";

/** A WebSocket that does as `play` says as soon as it is asked for. */
class Fake {
  readyState = 0;
  sent = [];
  protocol = "";

  open(protocol = "") {
    [this.readyState, this.protocol] = [1, protocol];
    this.onopen();
  }

  send(data) { this.sent.push(data); }
  close(...words) { this.sent.push(words); }

  end(code, reason, wasClean) {
    this.readyState = 3;
    this.onclose({ code, reason, wasClean });
  }
}

async function run(conversation, play) {
  const fake = new Fake(), lines = [];
  const done = converse({ url: "https://a.example/x", conversation }, (url) => Object.assign(fake, { url }), (name, lane, arg, facts) =>
    lines.push([lane, arg ? `${name}(${arg})` : name, facts]));
  await play(fake);
  return { fake, facts: await done, text: lines.map(([lane, name]) => `${lane} ${name}`).join(", "), lines };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("acts are done in order, and the server's Close frame is told", async () => {
  const { fake, facts, text, lines } = await run(
    [{ act: "receive", count: 2 }, { act: "send", text: "ä", isText: true }, { act: "send", base64: "AP8=", isText: false }, { act: "close", code: 3000, reason: "x" }],
    async (fake) => {
      fake.open("chat");
      fake.onmessage({ data: "one" });
      fake.onmessage({ data: new Uint8Array([0, 255]).buffer });
      await turn();
      fake.end(3000, "y", true);
    });
  assert.equal(fake.url, "wss://a.example/x");
  assert.deepEqual(fake.sent, ["ä", new Uint8Array([0, 255]), [3000, "x"]]);
  assert.equal(
    text, "task wsOpen(chat), handler wsReceived(ok), handler wsReceived(ok), handler wsSent(ok), handler wsSent(ok), task wsClose(3000), task complete(ok)");
  assert.deepEqual(lines[3][2], { bytes: 2, crc32: 0x70b5f183, isText: true });
  assert.deepEqual(facts, { protocol: "chat", closeCode: 3000, closeReason: "y", messages: '["text one","binary 00ff"]' });
});

test("an act that fails ends the conversation, and 1006 is no Close frame", async () => {
  const { fake, facts, text } = await run([{ act: "receive", count: 1 }, { act: "send", text: "never", isText: true }], async (fake) => {
    fake.open();
    await turn();
    fake.onerror({ message: "broken" });
    fake.end(1006, "", false);
  });
  assert.deepEqual(fake.sent, []);
  assert.equal(text, "task wsOpen, handler wsReceived(unknown), task complete(unknown)");
  assert.deepEqual(facts, { error: "unknown", message: "broken", messages: "[]" });
});

test("a WebSocket that is not opened fails, also where no close event comes", async () => {
  const { facts, text } = await run([{ act: "receive", count: 1 }], async (fake) => fake.onerror({ error: new Error("no") }));
  assert.equal(text, "task complete(unknown)");
  assert.deepEqual(facts, { error: "unknown", message: "no", messages: "[]" });
});

test("what a WebSocket of browsers is told nothing of is refused", () => {
  const step = (conversation, more) => ({ task: "websocket", beforehand: { follow: true }, conversation, ...more });
  const refusal = (one) => {
    try {
      refuseSteps(one, (key, reason) => { throw new Error(`${key}: ${reason}`); });
      return "";
    } catch (error) {
      return error.message;
    }
  };
  assert.equal(refusal(step([{ act: "receive", count: 1 }, { act: "close", code: 4999 }])), "");
  assert.equal(refusal(step([{ act: "ping" }])), "conversation: has no ping");
  assert.equal(refusal(step([{ act: "close", code: 1001 }])), "conversation: has no close with 1001");
  assert.equal(refusal(step([], { task: "data" })), "task: opens a WebSocket");
});
