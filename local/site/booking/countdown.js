// Time that is left to pay for a hold.

import { create } from "../dom.js";
import { countdown } from "../format.js";
import { secondsLeft } from "../service/holds.js";

/**
 * Creates a timer that counts down as long as the page has it. `ended` is called at its end.
 * @param {Hold} hold
 * @param {() => void} [ended]
 */
export function createCountdown(hold, ended) {
  const timer = create("p", { className: "time-left", role: "timer" });
  const update = () => {
    timer.textContent = `${countdown(secondsLeft(hold))} 안에 결제해 주세요`;
  };
  const interval = setInterval(() => {
    const isOver = secondsLeft(hold) === 0;
    if (isOver || !timer.isConnected) clearInterval(interval);
    if (!timer.isConnected) return;
    update();
    if (isOver) ended?.();
  }, 1_000);
  update();
  return timer;
}
