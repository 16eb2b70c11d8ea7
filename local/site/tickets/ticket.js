// One ticket of a member, or a hold that is to be paid.

import { askToCancel } from "../booking/cancel.js";
import { createCountdown } from "../booking/countdown.js";
import { create, createButton, icon } from "../dom.js";
import { createPoster } from "../events/poster.js";
import { createShowNotice, createStatus } from "../events/show-status.js";
import { clock, day, dayAndClock, seatName, won } from "../format.js";
import { isOver } from "../service/holds.js";

/**
 * Creates the card of a hold. `cancelled` is called after its cancellation, `expired` at the end of its time.
 * @param {OwnHold} hold
 */
export function createTicket(hold, cancelled, expired) {
  const { eventId, eventDatetimeId, eventTitle, place, datetime, showStatus, status, seats, amount, orderId } = hold;
  const fact = (name, ...content) =>
    create("p", { className: "soft small fact" }, [icon(name), create("span", {}, content)]);
  const row = (term, ...content) => [create("dt", {}, term), create("dd", {}, content)];
  return create(
    "li",
    {},
    create("article", { className: "panel ticket", dataset: { status } }, [
      createPoster(hold, { loading: "lazy" }),
      create("div", { className: "about" }, [
        createStatus(showStatus, "공연 "),
        create("h3", {}, create("a", { href: `/events/${eventId}` }, eventTitle)),
        fact(
          "calendar",
          create("time", { dateTime: datetime }, [
            day(datetime),
            " ",
            create("span", { className: "clock" }, clock(datetime)),
          ]),
        ),
        fact("place", place),
      ]),
      create("div", { className: "rest stack" }, [
        createShowNotice(hold),
        create("dl", { className: "facts small" }, [
          ...row("좌석", ...seats.map(seat => create("span", {}, seatName(seat)))),
          ...row("금액", create("strong", {}, won(amount))),
          ...(orderId ? row("주문 번호", orderId) : []),
        ]),
        ...(status === "HELD"
          ? [
              createCountdown(hold, expired),
              create(
                "a",
                { className: "button", href: `/events/${eventId}/shows/${eventDatetimeId}` },
                "결제하거나 취소하기",
              ),
            ]
          : []),
        status === "CONFIRMED" && !isOver(hold)
          ? createButton("예매 취소", () => askToCancel(hold, cancelled), {
              className: "quiet",
              "aria-label": `${eventTitle} ${dayAndClock(datetime)} 예매 취소`,
            })
          : "",
      ]),
    ]),
  );
}
