// Short messages below the header, which leave by themselves and cover no button.

import { create } from "../dom.js";

const MILLISECONDS = 5_000;
const toast = create("p", { className: "toast", role: "status" });
document.body.append(toast);
let timer;

/** Shows a message for five seconds, and reads it to screen readers. */
export function notify(text) {
  toast.textContent = text;
  clearTimeout(timer);
  timer = setTimeout(() => {
    toast.textContent = "";
  }, MILLISECONDS);
}
