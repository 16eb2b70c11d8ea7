// Panel beside the hall, or bar at the bottom of a phone: the choice, the sum and the button; then the hold.

import { create, createButton, focusFirst, icon } from "../dom.js";
import { seatName, won } from "../format.js";
import { confirmHold } from "../service/orders.js";
import { askToCancel } from "./cancel.js";
import { createCountdown } from "./countdown.js";

/**
 * Shows a booking in an element. `runAction` runs the action of a button and shows its error; `openBest` offers seats
 * that the service chooses.
 * @param {HTMLElement} element
 * @param {Booking} booking
 * @param {RunAction} runAction
 * @param {() => void} openBest
 */
export function showPanel(element, booking, runAction, openBest) {
  const hadFocus = element.contains(document.activeElement);
  const { hold, chosen } = booking;
  element.replaceChildren(
    ...(hold ? createHold(booking, hold, runAction) : createChoice(booking, runAction, openBest)),
  );
  element.classList.toggle("empty", !hold && chosen.size === 0);
  if (hadFocus) focusFirst(element, "h2");
}

const createTitle = text => create("h2", { tabIndex: -1 }, text);

/**
 * @param {(HeldSeat | ChosenSeat)[]} seats
 * @param {(id: string) => void} [remove]
 */
function createSeatList(seats, remove) {
  return create(
    "ul",
    { className: "chosen" },
    seats.map(seat =>
      create("li", {}, [
        create("span", {}, seatName(seat)),
        create("span", { className: "soft" }, won(seat.price)),
        remove &&
          createButton(icon("close"), () => remove(seat.id), {
            className: "plain",
            "aria-label": `${seatName(seat)} 선택 취소`,
          }),
      ]),
    ),
  );
}

/**
 * @param {unknown[]} seats
 * @param {number} amount
 */
const createTotal = (seats, amount) =>
  create("p", { className: "total" }, [create("span", {}, `${seats.length}석`), create("strong", {}, won(amount))]);

/**
 * @param {Booking} booking
 * @param {RunAction} runAction
 * @param {() => void} openBest
 * @returns {(Node | string)[]}
 */
function createChoice(booking, runAction, openBest) {
  const seats = [...booking.chosen.values()];
  const isOpen = booking.sale === "open";
  const mine =
    booking.bought === 0
      ? ""
      : create("p", { className: "mine" }, [
          `이 회차를 ${booking.bought}석 예매했어요. `,
          create("a", { href: "/tickets" }, "내 예매 보기"),
        ]);
  if (isOpen && seats.length === 0) {
    const isFull = booking.limit === 0;
    return [
      createTitle("선택한 좌석"),
      mine,
      create(
        "p",
        { className: "soft hint" },
        isFull ? booking.describeLimit() : "배치도에서 좌석을 직접 고르거나, 좋은 자리를 바로 잡아 보세요.",
      ),
      isFull ? "" : createButton("자동으로 고르기", openBest, { className: "quiet best" }),
    ];
  }
  return [
    createTitle("선택한 좌석"),
    mine,
    seats.length > 0
      ? createSeatList(seats, id => booking.remove(id))
      : create("p", { className: "soft hint" }, "지금은 좌석만 둘러볼 수 있어요."),
    createTotal(seats, booking.amount),
    createButton("예매하기", () => runAction(() => booking.holdChosen()), {
      disabled: seats.length === 0 || booking.obstacle !== "",
    }),
  ];
}

/**
 * @param {Booking} booking
 * @param {Hold} hold
 * @param {RunAction} runAction
 * @returns {(Node | string)[]}
 */
function createHold(booking, hold, runAction) {
  const { status, seats, amount } = hold;
  const again = createButton("다른 좌석 예매하기", () => booking.chooseAgain(), { className: "quiet" });
  const pay = createButton("결제하기(연습)", () => runAction(async () => booking.replaceHold(await confirmHold(hold))));
  const refund = createButton(
    "예매 취소",
    () =>
      askToCancel(hold, async released => {
        booking.replaceHold(released);
        await booking.loadAvailability();
      }),
    { className: "danger" },
  );
  const release = createButton("선점 취소", () => runAction(() => booking.release(hold)), { className: "quiet" });
  const parts = {
    HELD: ["좌석을 잡아 뒀어요", createCountdown(hold), [pay], release],
    EXPIRED: [
      "시간이 지나 좌석이 풀렸어요",
      create("p", { className: "soft" }, "이미 결제했다면, 좌석이 남아 있는 동안에는 확정할 수 있어요."),
      [pay],
      again,
    ],
    CONFIRMED: [
      "예매를 마쳤어요",
      create("p", { className: "soft" }, [
        `주문 번호 ${hold.orderId} · `,
        create("a", { href: "/tickets" }, "내 예매"),
      ]),
      [refund],
      again,
    ],
  };
  const [heading, fact, orderButtons, action] = parts[status];
  const order = create("section", { className: "play" }, [
    create("h3", {}, "연습용 결제"),
    create("p", { className: "soft small" }, "실제로는 결제 서비스가 하는 일이에요. 돈은 오가지 않아요."),
    ...orderButtons,
  ]);
  return [createTitle(heading), fact, createSeatList(seats), createTotal(seats, amount), order, action];
}
