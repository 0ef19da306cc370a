// The forms on the page of a scenario.
import { byId, make } from "./dom.js";
import { call, onSubmit } from "./api.js";

const start = byId("start");
if (start) {
  onSubmit(start, async () => {
    const scenario = new URL(start.action).searchParams.get("scenario");
    const run = await call("POST", "runs", { scenario });
    location.assign(`/__proctor/ui/runs/${run.run}`);
  });
}

// A button beside each line that is there to be copied.
for (const line of document.querySelectorAll("pre.copy")) {
  if (!navigator.clipboard) break;
  const button = make("button", { type: "button", class: "copy-button" }, "Copy");
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(line.textContent);
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
  line.after(button);
}
