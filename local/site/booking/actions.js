// Actions of a booking, and the alert with the reason if one fails or is impossible.

import { createMailButton } from "../account/email-verification.js";
import { askToLogIn } from "../account/login-dialog.js";
import { create, createButton, focusFirst, icon, listen, updateChildren } from "../dom.js";
import { seatName } from "../format.js";

/**
 * Creates the alert: why the last action failed and which seats others took, until the visitor answers or closes them;
 * why the chosen seats cannot be held, and whether the numbers of free seats are old.
 * @param {Booking} booking
 */
export function createAlert(booking) {
  const element = create("div", { className: "error alert", role: "alert" });
  const text = create("p");
  const close = createButton(
    icon("close"),
    () => {
      clear();
      focusFirst(document, ".booking h2");
    },
    { className: "plain", "aria-label": "알림 닫기" },
  );
  let failure = "";
  /** @type {HTMLElement | undefined} */
  let help;
  /** @type {string[]} */
  let lost = [];
  let pollFailure = "";
  const update = () => {
    const lines = [failure, ...lost, booking.obstacle, pollFailure].filter(Boolean).join("\n");
    if (text.textContent !== lines) text.textContent = lines;
    updateChildren(element, [lines !== "" && text, (failure !== "" || lost.length > 0) && close, help]);
  };
  /**
   * @param {string} message
   * @param {HTMLElement} [element] What helps against the failure
   */
  const show = (message, element) => {
    failure = message;
    help = element;
    update();
  };
  const clear = () => {
    lost = [];
    show("");
  };
  booking.addEventListener("change", update);
  booking.addEventListener("answer", clear);
  listen(booking, "lost", seats => {
    if (lost.length === 0) lost.push("그사이 다른 분이 예매한 좌석이 있어서 선택에서 뺐어요.");
    lost.push(...seats.map(seatName));
    update();
  });
  listen(booking, "failure", error => {
    pollFailure = error ? `좌석 현황을 새로 고치지 못했어요. ${error.message}` : "";
    update();
  });
  return { element, show, clear };
}

/**
 * Returns a function that runs the action of a button, unless another one is in progress. The button keeps the focus.
 * Without a session, the function asks the member to log in, and then runs the action again.
 * @param {Booking} booking
 * @returns {RunAction}
 */
export function createRunner(booking, alert) {
  let isBusy = false;
  const setBusy = (/** @type {boolean} */ value, button) => {
    isBusy = value;
    for (const name of ["aria-busy", "aria-disabled"])
      if (value) button?.setAttribute(name, "true");
      else button?.removeAttribute(name);
  };
  return async function runAction(action, button) {
    if (isBusy) return;
    setBusy(true, button);
    alert.clear();
    try {
      await action();
    } catch (error) {
      if (error.code?.startsWith("AS_")) {
        setBusy(false, button);
        const rest = booking.chosen.size > 0 ? "고른 좌석은 그대로 있어요." : "로그인하면 바로 좌석을 잡아 드려요.";
        if (await askToLogIn(`예매하려면 로그인해 주세요. ${rest}`)) await runAction(action, button);
        return;
      }
      if (error.code === "H_004" || error.code === "H_005") await booking.readHolds();
      if (error.code === "AJ_003")
        alert.show(
          `예매하려면 이메일을 인증해야 해요.${booking.chosen.size > 0 ? " 고른 좌석은 그대로 있어요." : ""}`,
          create("div", { className: "stack" }, createMailButton()),
        );
      else if (error.code !== "H_001") alert.show(error.message);
    } finally {
      setBusy(false, button);
    }
  };
}
