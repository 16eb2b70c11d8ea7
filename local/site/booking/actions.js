// Actions of a booking, and the paragraph with the reason if one fails or is impossible.

import { askToLogIn } from "../account/login-dialog.js";
import { create, listen } from "../dom.js";
import { seatName } from "../format.js";

/**
 * Creates the paragraph: the last message, why the chosen seats cannot be held, and whether the numbers of free seats
 * are old.
 * @param {Booking} booking
 */
export function createAlert(booking) {
  const element = create("p", { className: "error alert", role: "alert" });
  let message = "";
  let failure = "";
  const update = () => {
    const text = [message, booking.obstacle, failure].filter(Boolean).join("\n");
    if (element.textContent !== text) element.textContent = text;
  };
  const show = text => {
    message = text;
    update();
  };
  booking.addEventListener("change", update);
  listen(booking, "lost", seats =>
    show(["그사이 다른 분이 예매한 좌석이 있어서 선택에서 뺐어요.", ...seats.map(seatName)].join("\n")),
  );
  listen(booking, "failure", error => {
    failure = error ? `좌석 현황을 새로 고치지 못했어요. ${error.message}` : "";
    update();
  });
  return { element, show };
}

/**
 * Returns a function that runs the action of a button, unless another one is in progress. Without a session it asks the
 * member to log in, and then runs the action again.
 * @param {Booking} booking
 */
export function createRunner(booking, alert) {
  let isBusy = false;
  return async function runAction(action) {
    if (isBusy) return;
    isBusy = true;
    alert.show("");
    try {
      await action();
    } catch (error) {
      if (error.code?.startsWith("AS_")) {
        isBusy = false;
        const rest = booking.chosen.size > 0 ? "고른 좌석은 그대로 있어요." : "로그인하면 바로 좌석을 잡아 드려요.";
        if (await askToLogIn(`예매하려면 로그인해 주세요. ${rest}`)) await runAction(action);
        return;
      }
      if (error.code === "H_004" || error.code === "H_005") await booking.readHolds();
      if (error.code !== "H_001") alert.show(error.message);
    } finally {
      isBusy = false;
    }
  };
}
