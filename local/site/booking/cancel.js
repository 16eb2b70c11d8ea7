// Cancellation of bought seats, as the order service does it.

import { notify } from "../elements/toast.js";
import { openFormDialog } from "../forms/form-dialog.js";
import { seatName } from "../format.js";
import { cancelOrder } from "../service/orders.js";

/**
 * Asks whether to cancel an order. `done` receives the released hold.
 * @param {Hold} hold
 * @param {(released: Hold) => unknown} done
 */
export function askToCancel(hold, done) {
  openFormDialog({
    title: "예매 취소",
    text: `${hold.seats.map(seatName).join(", ")} 예매를 취소할까요? 되돌릴 수 없어요.`,
    button: "취소하기",
    danger: true,
    submit: () => cancelOrder(hold),
    async done(released) {
      notify("예매를 취소했어요.");
      await done(released);
    },
  });
}
