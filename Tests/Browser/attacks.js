// What a page of some origin tries to read and to change at `targets`. The collector puts the settings before this file,
// and gets for each attack what the page could read.
const pause = (time) => new Promise((done) => setTimeout(done, time));
const within = (promise, time = settings.patience) => Promise.race([promise, pause(time).then(() => "")]);

async function read(url, options) {
  try {
    return await (await fetch(url, options)).text();
  } catch {
    return "";
  }
}

const reads = (options) => async (base) =>
  (await Promise.all(settings.paths.map((path) => read(base + path, options)))).join("\n");

// The text of a document that loads; a foreign one throws or has none.
async function textOf(find, hasLoaded) {
  for (let end = Date.now() + settings.patience; Date.now() < end; await pause(25)) {
    try {
      const text = find();
      if (text) return text;
      if (text === null && hasLoaded()) return "";
    } catch {
      return "";
    }
  }
  return "";
}

function frame(name) {
  const element = document.createElement("iframe");
  element.name = name;
  document.body.append(element);
  return element;
}

// Resolves when the reply is there, or the browser has refused to show it.
function submit(action) {
  const element = frame("f" + Math.random());
  const form = document.createElement("form");
  Object.assign(form, { method: "post", action, target: element.name });
  document.body.append(form);
  const loaded = new Promise((done) => (element.onload = () => done("")));
  form.submit();
  return within(loaded);
}

async function inWorker(urls) {
  const registration = await navigator.serviceWorker.register(settings.worker);
  const worker = registration.installing || registration.waiting || registration.active;
  while (worker.state !== "activated") {
    if (worker.state === "redundant") throw new Error("the worker was not started");
    await new Promise((done) => worker.addEventListener("statechange", done, { once: true }));
  }
  const { port1, port2 } = new MessageChannel();
  const answer = new Promise((done) => (port1.onmessage = (message) => done(message.data)));
  worker.postMessage(urls, [port2]);
  const text = await within(answer, 3 * settings.patience);
  await registration.unregister();
  return text || "";
}

const attacks = {
  "a fetch": reads({}),
  "a fetch that hides what it may": reads({
    referrerPolicy: "no-referrer",
    cache: "no-store",
    headers: { Accept: "text/html", "Accept-Language": "*", "User-Agent": "curl/8.0" },
  }),
  "a fetch without CORS": reads({ mode: "no-cors" }),

  async "a frame"(base) {
    const element = frame("");
    let isLoaded = false;
    element.onload = () => (isLoaded = true);
    element.src = base + settings.page;
    return textOf(() => element.contentDocument && element.contentDocument.body.innerText, () => isLoaded);
  },

  async "a window"(base) {
    const opened = window.open(base + settings.page);
    if (!opened) throw new Error("no window was opened");
    const text = await textOf(() => !opened.closed && opened.document.body.innerText, () => false);
    opened.close();
    return text;
  },

  "an event stream": (base) =>
    within(
      new Promise((done) => {
        const source = new EventSource(base + settings.events);
        let text = "";
        source.onmessage = (event) => {
          text += event.data;
          if (!text.includes(settings.secret)) return;
          source.close();
          done(text);
        };
        source.onerror = () => {
          source.close();
          done(text);
        };
      }),
    ),

  "a WebSocket": (base) =>
    within(
      new Promise((done) => {
        const socket = new WebSocket(base.replace("http", "ws") + settings.events);
        socket.onmessage = (event) => done(String(event.data));
        socket.onclose = () => done("");
      }),
    ),

  // What the server sends behind the reply, to whom the page names.
  async "a webhook to the control API or to another port"(base) {
    const places = [base + "/kept/hooks/orders", settings.hooks.run + "/orders"];
    const asks = places.flatMap((place) => settings.hooks.listeners.map((hook) => ({ place, body: JSON.stringify({ hook }) })));
    await Promise.all(asks.map(({ place, body }) => read(place, { method: "POST", mode: "no-cors", body })));
    await Promise.all(asks.map(({ place, body }) => read(place, { method: "POST", body, referrerPolicy: "no-referrer" })));
    return "";
  },

  async "a service worker"(base) {
    // One for all targets, since one registration would end the other.
    if (!window.isSecureContext || !settings.worker || base !== settings.targets[0]) return null;
    return inWorker(settings.targets.flatMap((target) => settings.paths.map((path) => target + path)));
  },

  "a script of another page": (base) =>
    within(
      new Promise((done) => {
        const script = document.createElement("script");
        script.src = base + "/__proctor/runs";
        // Its content is JSON, so a page learns at most that there is some.
        script.onload = script.onerror = () => done("");
        document.body.append(script);
      }),
    ),

  "a POST": (base) => read(base + "/__proctor/runs", { method: "POST", body: '{"scenario": "kept/post"}' }),
  "a POST without CORS": (base) =>
    read(base + "/__proctor/runs", { method: "POST", mode: "no-cors", body: '{"scenario": "kept/blind"}' }),
  "a PUT": (base) => read(base + "/__proctor/sets/mine/put", { method: "PUT", body: settings.scenario }),
  "a DELETE": (base) => read(base + settings.deleted, { method: "DELETE" }),
  "a reset": (base) => read(base + settings.reset, { method: "POST", mode: "no-cors" }),
  "a form": (base) => submit(base + "/__proctor/ui/start?scenario=kept/form"),
  "a page that opens ports": (base) => read(base + "/kept/rooted", { mode: "no-cors" }),
};

(async () => {
  const outcomes = {};
  const jobs = [];
  for (const base of settings.targets)
    for (const [name, attack] of Object.entries(attacks))
      jobs.push(
        attack(base)
          .catch((error) => `failed: ${error}`)
          .then((text) => (outcomes[`${name} at ${base}`] = text)),
      );
  await Promise.all(jobs);
  await fetch(settings.collector + "/outcomes", { method: "POST", body: JSON.stringify(outcomes) });
  location.href = settings.collector + "/next";
})();
