// Panel beside the hall, or bar at the bottom of a phone: the choice, the sum and the button; then the hold.

import { create, createButton, icon } from "../dom.js";
import { notify } from "../elements/toast.js";
import { ask } from "../forms/ask.js";
import { countdown, seatName, won } from "../format.js";
import { secondsLeft } from "../service/holds.js";
import { cancel, confirm } from "../service/orders.js";
import { MAX_CHOSEN } from "./booking.js";

/** Shows a booking in an element; `act` runs the action of a button and shows its error. */
export function showPanel(element, booking, act) {
  const hadFocus = element.contains(document.activeElement);
  const { hold, chosen } = booking;
  element.replaceChildren(...hold ? holdOf(booking, act) : choiceOf(booking, act));
  element.classList.toggle("empty", !hold && chosen.size === 0);
  if (hadFocus) element.querySelector("h2").focus();
}

const title = text => create("h2", { tabIndex: -1 }, text);

function seatList(seats, remove) {
  return create("ul", { className: "chosen" }, ...seats.map(seat => create("li", {},
    create("span", {}, seatName(seat)), create("span", { className: "soft" }, won(seat.price)),
    remove && createButton(icon("close"), () => remove(seat.id), { className: "plain", "aria-label": `${seatName(seat)} 선택 취소` }))));
}

const total = (seats, amount) =>
  create("p", { className: "total" }, create("span", {}, `${seats.length}석`), create("strong", {}, won(amount)));

function choiceOf(booking, act) {
  const seats = [...booking.chosen.values()];
  const button = createButton("예매하기", () => act(() => booking.holdChosen()), { disabled: seats.length === 0 });
  return [
    title("선택한 좌석"),
    seats.length > 0 ? seatList(seats, id => booking.remove(id))
      : create("p", { className: "soft hint" }, booking.sale === "open" ? `구역을 누르고 좌석을 골라 주세요. ${MAX_CHOSEN}석까지 고를 수 있어요.`
        : "지금은 좌석만 둘러볼 수 있어요."),
    total(seats, booking.amount),
    button,
  ];
}

function holdOf(booking, act) {
  const { hold } = booking, { status, seats, amount } = hold;
  const again = createButton("다른 좌석 예매하기", () => booking.chooseAgain(), { className: "quiet" });
  const pay = createButton("결제했다고 치기", () => act(async () => booking.setHold(booking.holds.keep(await confirm(hold)))));
  const refund = createButton("예매 취소", () => ask({
    title: "예매 취소",
    text: `${seats.map(seatName).join(", ")} 예매를 취소할까요? 되돌릴 수 없어요.`,
    button: "취소하기",
    danger: true,
    async submit() {
      booking.setHold(booking.holds.keep(await cancel(hold)));
      await booking.load();
    },
    done: () => notify("예매를 취소했어요."),
  }), { className: "danger" });
  const release = createButton("선점 취소", () => act(() => booking.release()), { className: "quiet" });
  const parts = {
    HELD: ["좌석을 잡아 뒀어요", create("p", { className: "time-left", role: "timer" }, timeLeft(hold)), [pay], release],
    EXPIRED: ["시간이 지나 좌석이 풀렸어요", create("p", { className: "soft" }, "이미 결제했다면, 좌석이 남아 있는 동안에는 확정할 수 있어요."), [pay], again],
    CONFIRMED: ["예매를 마쳤어요", create("p", { className: "soft" }, `주문 번호 ${hold.orderId}`), [refund], again],
  };
  const [heading, fact, orderButtons, action] = parts[status];
  const order = create("section", { className: "play" }, create("h3", {}, "주문 서비스 흉내"),
    create("p", { className: "soft small" }, "실제로는 결제 서비스가 하는 일이에요. 돈은 오가지 않아요."),
    ...orderButtons);
  return [title(heading), fact, seatList(seats), total(seats, amount), order, action];
}

function timeLeft(hold) {
  return `${countdown(secondsLeft(hold))} 안에 결제해 주세요`;
}

/** Counts down in the panel. */
export function startCountdown(element, booking) {
  setInterval(() => {
    const timer = element.querySelector(".time-left");
    if (timer && booking.hold) timer.textContent = timeLeft(booking.hold);
  }, 1_000);
}
