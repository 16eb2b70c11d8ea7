// Paper for the house: tickets of the box office, and a list of sold seats with a box to tick.

import { create } from "../dom.js";
import { notify } from "../elements/toast.js";
import { areaName, buyerName, dayAndClock, KIND_NAMES } from "../format.js";
import { createDoorTickets } from "../tickets/door-tickets.js";

const COLUMNS = ["", "구역", "열", "번호", "주문 번호", "구매자"];

/**
 * Prints the seats of sales in the order of the hall.
 * @param {ShowDesk} desk
 * @param {Sale[]} sales
 */
export function printSales({ hall, event, show }, sales) {
  const positions = new Map(hall.areas.map(({ id }, index) => [id, index]));
  const seats = sales
    .flatMap(sale => sale.seats.map(seat => ({ ...seat, sale, area: positions.get(seat.areaId) ?? 0 })))
    .sort((one, other) => one.area - other.area || one.row - other.row || one.number - other.number);
  const cell = text => create("td", {}, text);
  const rows = seats.map(({ areaLabel, row, number, kind, sale }) => {
    const place = [areaName(areaLabel), `${row}`, `${number}${kind ? ` ${KIND_NAMES[kind]}` : ""}`];
    return create("tr", {}, ["☐", ...place, sale.orderId, buyerName(sale)].map(cell));
  });
  const list = create("section", { className: "printed" }, [
    create("h1", {}, event.title),
    create("p", {}, `${dayAndClock(show.datetime)} · ${event.place} · ${seats.length.toLocaleString("ko-KR")}석`),
    create("table", {}, [
      create(
        "thead",
        {},
        create(
          "tr",
          {},
          COLUMNS.map(name => create("th", {}, name)),
        ),
      ),
      create("tbody", {}, rows),
    ]),
  ]);
  return printSection(list);
}

/** Prints tickets of a sale, one on each page. @param {ShowDesk} desk @param {Sale} sale */
export async function printTickets(desk, { id }) {
  const { event, show } = desk;
  try {
    const { data } = await desk.send("GET", `/sales/${id}/tickets`);
    const about = { title: event.title, place: event.place, datetime: show.datetime, status: show.status };
    await printSection(create("section", { className: "printed" }, createDoorTickets(data, about)));
  } catch (error) {
    notify(error.message);
  }
}

/** Prints a section in place of the page, with its pictures. @param {HTMLElement} section */
async function printSection(section) {
  document.body.append(section);
  addEventListener("afterprint", () => section.remove(), { once: true });
  await Promise.all([...section.querySelectorAll("img")].map(image => image.decode()));
  print();
}
