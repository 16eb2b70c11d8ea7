// Page `/tickets`: what the member has bought or holds, as the service knows it.

import "../elements/site-header.js";
import { openMemberPage } from "../account/member-page.js";
import { create } from "../dom.js";
import { createNotice } from "../elements/states.js";
import { isOver, onChangeElsewhere, readOwnHolds, tellTabs } from "../service/holds.js";
import { createTicket, REFUND } from "./ticket.js";

const MAX_READ = 100;

const { load } = openMemberPage({
  title: "내 예매",
  className: "tickets",
  skeleton: "ticket",
  invitation: "예매한 표를 보려면 로그인해 주세요.",
  read: readOwnHolds,
  createContent,
});

/**
 * Creates what is to be paid, and shows that were called off; then shows to come, the next first, cancelled orders, and
 * folded those that are over.
 * @param {OwnHold[]} holds
 */
function createContent(holds) {
  const byTime = holds.toSorted((one, other) => Date.parse(one.datetime) - Date.parse(other.datetime));
  const held = byTime.filter(({ status }) => status === "HELD");
  const cancelled = byTime.filter(({ status, orderId }) => status === "RELEASED" && orderId);
  const bought = byTime.filter(({ status }) => status === "CONFIRMED");
  const over = bought.filter(isOver).reverse();
  const calledOff = bought.filter(hold => !isOver(hold) && hold.showStatus === "CANCELLED");
  const next = bought.filter(hold => !over.includes(hold) && !calledOff.includes(hold));
  const list = holds =>
    create(
      "ul",
      { className: "stack" },
      holds.map(hold => createTicket(hold, showCancelled)),
    );
  const section = (title, holds, text = "") =>
    holds.length > 0
      ? create("section", { className: "stack" }, [create("h2", {}, title), text && create("p", {}, text), list(holds)])
      : "";
  return [
    section("결제를 기다리는 좌석", held),
    section("취소된 공연", calledOff, REFUND),
    section("다가오는 공연", next),
    held.length + next.length > 0
      ? ""
      : createNotice(
          "ticket",
          "다가오는 예매가 없어요",
          create("p", { className: "soft" }, "보고 싶은 공연을 찾아 좌석을 골라 보세요."),
          create("a", { href: "/", className: "button quiet" }, "공연 둘러보기"),
        ),
    section("취소한 예매", cancelled),
    over.length > 0
      ? create("details", {}, [create("summary", {}, `지난 공연 ${over.length}건 보기`), list(over)])
      : "",
    holds.length < MAX_READ ? "" : create("p", { className: "soft small" }, `최근 예매 ${MAX_READ}건까지 보여 드려요.`),
  ];
}

async function showCancelled() {
  tellTabs();
  (await load()).focus();
}

onChangeElsewhere(load);
