// One ticket of a member, or a hold that is to be paid.

import { askToCancel } from "../booking/cancel.js";
import { createCountdown } from "../booking/countdown.js";
import { create, createButton, icon } from "../dom.js";
import { createPoster } from "../events/poster.js";
import { createShowNotice, createStatus } from "../events/show-status.js";
import { clock, day, dayAndClock, rowsOf, won } from "../format.js";
import { isOver, pathOfOrder } from "../service/holds.js";

/** Advice to those whose show was called off. */
export const REFUND = "환불은 공연 안내를 확인하고, 궁금한 점은 결제한 곳에 주문 번호로 문의해 주세요.";

/**
 * Creates the card of a hold. `cancelled` is called after its cancellation.
 * @param {OwnHold} hold
 */
export function createTicket(hold, cancelled) {
  const { eventTitle, datetime, status } = hold;
  const actions = [
    create("a", { href: pathOfOrder(hold) }, "예매 내역"),
    createCalendarLink(hold),
    createCancellation(hold, cancelled),
  ].flatMap(action => action || []);
  for (const action of actions)
    action.setAttribute("aria-label", `${eventTitle} ${dayAndClock(datetime)} ${action.textContent}`);
  return create(
    "li",
    {},
    createCard(hold, "h3", [
      createPayment(hold),
      status === "CONFIRMED" && createTicketsLink(hold),
      status === "CONFIRMED" ? create("p", { className: "actions" }, actions) : "",
    ]),
  );
}

/** @param {OwnHold} hold */
function createTicketsLink(hold) {
  const label = `${hold.eventTitle} ${dayAndClock(hold.datetime)} 티켓 보기`;
  return create("a", { href: pathOfOrder(hold), className: "button", "aria-label": label }, "티켓 보기");
}

/**
 * Creates an article about a hold: its event and show, its seats, its order, and other elements below them.
 * @param {OwnHold & { address?: string }} hold
 * @param {"h2" | "h3"} heading
 * @param {Child[]} content
 */
export function createCard(hold, heading, content) {
  const { eventId, eventTitle, place, address, datetime, showStatus, status, seats, amount, orderId } = hold;
  const fact = (name, ...content) =>
    create("p", { className: "soft small fact" }, [icon(name), create("span", {}, content)]);
  const row = (term, ...content) => [create("dt", {}, term), create("dd", {}, content)];
  const rows = rowsOf(seats).map(({ name, price, count }) =>
    create("li", {}, [
      create("span", {}, name),
      " ",
      create("span", { className: "soft" }, count > 1 ? `${won(price)} × ${count}` : won(price)),
    ]),
  );
  return create("article", { className: "panel ticket", dataset: { status, show: showStatus ?? "" } }, [
    createPoster(hold, { loading: "lazy" }),
    create("div", { className: "about" }, [
      createStatus(showStatus, "공연 "),
      status === "RELEASED" && orderId && create("span", { className: "badge" }, "예매 취소됨"),
      create(heading, {}, create("a", { href: `/events/${eventId}` }, eventTitle)),
      fact(
        "calendar",
        create("time", { dateTime: datetime }, [
          day(datetime),
          " ",
          create("span", { className: "clock" }, clock(datetime)),
        ]),
      ),
      fact("place", place, address && ` · ${address}`),
    ]),
    create("div", { className: "rest stack" }, [
      createShowNotice(hold),
      create("dl", { className: "facts small" }, [
        ...row("좌석", create("ul", {}, rows)),
        ...row("금액", create("strong", {}, won(amount))),
        ...(orderId ? row("주문 번호", orderId) : []),
      ]),
      ...content,
    ]),
  ]);
}

/**
 * Creates the time that is left to pay for a hold, and the way to do so. At its end they say that the seats are free.
 * @param {OwnHold} hold
 */
export function createPayment(hold) {
  if (hold.status !== "HELD") return undefined;
  const link = create("a", { className: "button", href: pathOfSeats(hold) }, "결제하거나 취소하기");
  const timer = createCountdown(hold, () => {
    timer.replaceWith(create("p", { role: "status" }, "시간이 지나 좌석이 풀렸어요"));
    link.replaceChildren("좌석 다시 고르기");
  });
  return create("div", { className: "payment" }, [timer, link]);
}

/** @param {Hold} hold */
export const pathOfSeats = ({ eventId, eventDatetimeId }) => `/events/${eventId}/shows/${eventDatetimeId}`;

/**
 * Creates the link to the calendar file of a show that is to come.
 * @param {OwnHold} hold
 */
export const createCalendarLink = hold =>
  !isOver(hold) && !hold.showStatus && create("a", { href: `${pathOfSeats(hold)}/calendar.ics` }, "달력에 추가");

/**
 * Creates the button that cancels the order of a show to come, after a question.
 * @param {OwnHold} hold
 */
export const createCancellation = (hold, cancelled) =>
  hold.status === "CONFIRMED" &&
  !isOver(hold) &&
  createButton("예매 취소", () => askToCancel(hold, cancelled), { className: "plain cancel" });
