// Page of a hold and its order: the confirmation after a payment, and what became of it later. Its address is
// `/tickets/<event>/<show>/<hold>`.

import "../elements/site-header.js";
import { openMemberPage } from "../account/member-page.js";
import { create, createButton } from "../dom.js";
import { createNotice } from "../elements/states.js";
import { pathOfEvent, pathOfShow, send } from "../service/client.js";
import { holdOf, isOver, onChangeElsewhere, tellTabs } from "../service/holds.js";
import { authorized } from "../service/session.js";
import { saleOf } from "../service/shows.js";
import { createDoorTickets } from "./door-tickets.js";
import { createOwnSeats } from "./own-seats.js";
import { createCalendarLink, createCancellation, createCard, createPayment, pathOfSeats, REFUND } from "./ticket.js";

/** @typedef {OwnHold & { address?: string, isOnSale: boolean, tickets?: Schemas["Ticket"][] }} Order */

const TITLE = "예매 내역";
const TITLES = {
  HELD: "결제를 기다리는 좌석",
  CONFIRMED: "예매 완료",
  EXPIRED: "시간이 지나 좌석이 풀렸어요",
  RELEASED: "선점을 취소했어요",
};
const [, , eventId, showId, holdId] = location.pathname.split("/");

const { load } = openMemberPage({
  title: TITLE,
  className: "tickets order",
  skeleton: "ticket",
  invitation: "예매 내역을 보려면 로그인해 주세요.",
  read,
  createContent,
  titleOf,
});

/**
 * Reads the hold with its event and show, and the tickets of a sale. There is nothing for one that is unknown or of another member.
 * @returns {Promise<Order | undefined>}
 */
async function read() {
  try {
    const [{ data: event }, hold] = await Promise.all([
      send("GET", pathOfEvent(eventId)),
      send("GET", `${pathOfShow(eventId, showId)}/holds/${holdId}`, { request: authorized }),
    ]);
    const tickets = hold.data.status === "CONFIRMED" ? await readTickets() : undefined;
    const show = event.eventDatetimes.find(({ id }) => id === showId);
    const { title: eventTitle, place, address, thumbnail } = event;
    const { datetime, status: showStatus, notice } = show;
    const isOnSale = saleOf(event, [show]) === "open";
    return { ...holdOf(hold), eventTitle, place, address, thumbnail, datetime, showStatus, notice, isOnSale, tickets };
  } catch (error) {
    if (error.status === 404) return undefined;
    throw error;
  }
}

async function readTickets() {
  const path = `${pathOfShow(eventId, showId)}/holds/${holdId}/tickets`;
  return (await send("GET", path, { request: authorized })).data;
}

/** @param {Order | undefined} order */
function titleOf(order) {
  if (!order) return TITLE;
  const { status, showStatus, orderId } = order;
  if (status === "RELEASED" && orderId) return "예매를 취소했어요";
  return status === "CONFIRMED" && showStatus === "CANCELLED" ? "취소된 공연이에요" : TITLES[status];
}

/** @param {Order | undefined} order */
function createContent(order) {
  document.title = `${titleOf(order)} · 봄날티켓`;
  const tickets = create("a", { href: "/tickets", className: "button quiet" }, "내 예매");
  if (!order) {
    const reason = "주소가 다르거나, 다른 계정으로 예매했을 수 있어요.";
    return [createNotice("search", "이 예매는 찾을 수 없어요", create("p", { className: "soft" }, reason), tickets)];
  }
  const isTicket = order.status === "CONFIRMED" && !isOver(order);
  // An order is used once somebody is inside.
  const isAdmitted = order.tickets?.some(({ admittedAt }) => admittedAt);
  const calendar = isTicket && createCalendarLink(order);
  if (calendar) calendar.className = "button";
  return [
    createOwnTickets(order) || "",
    createCard(order, "h2", [createPayment(order)]),
    isTicket ? createNext(order) : "",
    create("p", { className: "row" }, [
      calendar,
      tickets,
      order.isOnSale && create("a", { href: pathOfSeats(order), className: "button quiet" }, "다른 좌석 예매하기"),
    ]),
    isTicket && order.showStatus !== "CANCELLED" ? createOwnSeats(order) : "",
    (!isAdmitted && createCancellation(order, showCancelled)) || "",
  ];
}

/**
 * Creates the tickets of an order that is paid.
 * @param {Order} order
 */
function createOwnTickets({ tickets, eventTitle: title, place, datetime, showStatus: status }) {
  if (!tickets) return undefined;
  return create("section", { className: "stack own-tickets" }, [
    createDoorTickets(tickets, { title, place, datetime, status }),
    createButton("티켓 인쇄", () => print(), { className: "quiet" }),
  ]);
}

/** @param {Order} order */
function createNext({ showStatus }) {
  const texts =
    showStatus === "CANCELLED"
      ? [REFUND]
      : ["공연장 입구에서 이 티켓의 QR 코드를 보여 주세요. 로그인하면 어느 기기에서나 볼 수 있어요."];
  if (!showStatus) texts.push("공연 날에는 시작 시간보다 여유 있게 와서, 위에 적힌 좌석에 앉아 주세요.");
  return create("section", { className: "stack" }, [
    create("h2", {}, "다음에 할 일"),
    create(
      "ul",
      { className: "next" },
      texts.map(text => create("li", {}, text)),
    ),
  ]);
}

async function showCancelled() {
  tellTabs();
  (await load()).focus();
}

onChangeElsewhere(load);
