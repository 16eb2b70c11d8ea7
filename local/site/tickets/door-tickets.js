// Tickets with their QR codes, as people show them at the door, and as they are printed.

import { create } from "../dom.js";
import { clock, dayAndClock, seatName } from "../format.js";

const OFF = { POSTPONED: "연기된 공연이에요", CANCELLED: "취소된 공연이에요" };

/**
 * Creates a list of tickets of a show, one after another.
 * @param {Schemas["Ticket"][]} tickets
 * @param {{ title: string, place: string, datetime: string, status?: Show["status"] }} show
 */
export function createDoorTickets(tickets, { title, place, datetime, status }) {
  const items = tickets.map((ticket, index) => {
    const { admittedAt, qr } = ticket;
    const state = (admittedAt && `입장 완료 · ${clock(admittedAt)}`) || (status && OFF[status]);
    return create("li", { className: "door-ticket", dataset: { used: Boolean(state) } }, [
      create("strong", {}, title),
      create("p", { className: "small" }, dayAndClock(datetime)),
      create("p", { className: "small" }, place),
      create("img", {
        src: `data:image/svg+xml,${encodeURIComponent(qr)}`,
        alt: `${seatName(ticket)} 입장 QR 코드${state ? `, ${state}` : ""}`,
      }),
      state && create("p", { className: "state" }, state),
      create("p", { className: "seat" }, seatName(ticket)),
      tickets.length > 1 && create("p", { className: "small" }, `${index + 1} / ${tickets.length}`),
    ]);
  });
  return create("ul", { className: "door-tickets", tabIndex: 0, "aria-label": "티켓" }, items);
}
