// Cancellation of bought seats, as the order service does it.

import { createButton } from "../dom.js";
import { notify } from "../elements/toast.js";
import { openFormDialog } from "../forms/form-dialog.js";
import { rowsOf } from "../format.js";
import { cancelOrder } from "../service/orders.js";

/**
 * Asks whether to cancel an order; to keep it is the first choice. `done` receives the released hold.
 * @param {Hold} hold
 * @param {(released: Hold) => unknown} done
 */
export function askToCancel(hold, done) {
  const dialog = openFormDialog({
    title: "예매를 취소할까요?",
    text: [
      rowsOf(hold.seats)
        .map(({ name }) => name)
        .join(", "),
      "취소하면 되돌릴 수 없어요.",
    ],
    button: "예매 취소하기",
    danger: true,
    submit: () => cancelOrder(hold),
    async done(released) {
      notify("예매를 취소했어요.");
      await done(released);
    },
  });
  const keep = createButton("예매 유지하기", () => dialog.close(), { className: "quiet" });
  dialog.classList.add("cancellation");
  dialog.querySelector("[type=submit]")?.before(keep);
  keep.focus();
}
