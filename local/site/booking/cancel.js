// Questions before seats are given back. To keep them is the first choice.

import { createButton } from "../dom.js";
import { notify } from "../elements/toast.js";
import { openFormDialog } from "../forms/form-dialog.js";
import { dayAndClock, rowsOf, won } from "../format.js";
import { cancelOrder } from "../service/orders.js";

/** @param {Parameters<typeof openFormDialog>[0] & { keepButton: string }} options */
function ask({ keepButton, ...options }) {
  const dialog = openFormDialog({ ...options, danger: true });
  const keep = createButton(keepButton, () => dialog.close(), { className: "quiet" });
  dialog.classList.add("question");
  dialog.querySelector("[type=submit]")?.before(keep);
  keep.focus();
}

const namesOf = ({ seats }) =>
  rowsOf(seats)
    .map(({ name }) => name)
    .join(", ");

/**
 * Asks whether to cancel an order. `done` receives the released hold.
 * @param {OwnHold} hold
 * @param {(released: Hold) => unknown} done
 */
export function askToCancel(hold, done) {
  ask({
    title: "예매를 취소할까요?",
    text: [
      `${hold.eventTitle} · ${dayAndClock(hold.datetime)}`,
      `${namesOf(hold)} · ${won(hold.amount)}`,
      "취소하면 되돌릴 수 없어요.",
    ],
    button: "예매 취소하기",
    keepButton: "예매 유지하기",
    submit: () => cancelOrder(hold),
    async done(released) {
      notify("예매를 취소했어요.");
      await done(released);
    },
  });
}

/**
 * Asks whether to release a hold.
 * @param {Hold} hold
 * @param {() => unknown} done
 */
export function askToRelease(hold, done) {
  ask({
    title: "선점을 취소할까요?",
    text: [namesOf(hold), "취소하면 다른 분이 바로 예매할 수 있어요."],
    button: "선점 취소하기",
    keepButton: "좌석 유지하기",
    submit: async () => {},
    done,
  });
}
