// List of the sales of a show: search, sums, cancellation, a file for spreadsheets and a list on paper.

import { create, createButton, focusFirst } from "../dom.js";
import { createFailure, createNotice } from "../elements/states.js";
import { notify } from "../elements/toast.js";
import { openFormDialog } from "../forms/form-dialog.js";
import { buyerName, seatName, won } from "../format.js";
import { ServiceError } from "../service/client.js";
import { readManager, readPages } from "../service/manager.js";
import { createNames } from "./choice.js";
import { printSales, printTickets } from "./printed-sales.js";

const PAGE = 20;
/** Most sales of one response of the service. */
const MAX_PAGE = 500;
const TYPING_MILLISECONDS = 300;

/** @param {ShowDesk} desk */
export function createSales(desk) {
  const rows = create("ul", { className: "sales" });
  const state = create("div");
  const sums = create("p", { className: "soft small", role: "status" });
  const search = create("input", { type: "search", placeholder: "주문 번호, 회원, 좌석", "aria-label": "판매 찾기" });
  const more = createButton("더 보기", showMore, { className: "quiet more", hidden: true });
  const refresh = createButton("새로 고침", load, { className: "quiet" });
  const file = createButton("CSV 내려받기", () => download(desk.path), { className: "quiet" });
  const paper = createButton("명단 인쇄", print, { className: "quiet" });
  /**
   * List that is shown: the sales to come, and all that a search found.
   * @type {{ next: AsyncIterator<Sale>, found?: Sale[] }}
   */
  let list;
  /** Checked sales by their ids. @type {Map<string, Sale>} */
  const checked = new Map();
  let timer;

  /** Shows the next sales, unless another list has been asked for meanwhile. */
  async function append() {
    const own = list;
    const sales = [];
    try {
      for (let result; sales.length < PAGE && !(result = await own.next.next()).done;) sales.push(result.value);
      if (own !== list) return undefined;
      const added = sales.map(createSale);
      rows.append(...added);
      more.hidden = sales.length < PAGE;
      const nothing = search.value ? "찾는 판매가 없어요" : "아직 판매한 좌석이 없어요";
      state.replaceChildren(rows.childElementCount ? "" : createNotice("ticket", nothing));
      return added[0];
    } catch (error) {
      if (own === list) state.replaceChildren(createFailure(error, load));
      return undefined;
    }
  }

  async function showMore() {
    focusFirst(await append(), "input", { preventScroll: true });
  }

  function load() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    list = { next: words.length > 0 ? find(words) : readPages(`${desk.path}/sales?limit=${PAGE}`) };
    checked.clear();
    rows.replaceChildren();
    showSums();
    return append();
  }

  /** Yields the sales that have all words, after all were read for their sums. */
  async function* find(words) {
    const own = list;
    own.found = [];
    state.replaceChildren(create("p", { className: "soft" }, "판매를 찾고 있어요."));
    for await (const sale of readAll()) {
      if (own !== list) return;
      const text = textOf(sale);
      if (words.every(word => text.includes(word))) own.found.push(sale);
    }
    showSums();
    yield* own.found;
  }

  const readAll = () => readPages(`${desk.path}/sales?limit=${MAX_PAGE}`);

  /** Shows the sums of the checked sales, or else of those that were found. */
  function showSums() {
    const sales = checked.size > 0 ? [...checked.values()] : (list.found ?? []);
    const seats = sales.flatMap(sale => sale.seats).length;
    const amount = sales.reduce((sum, sale) => sum + sale.amount, 0);
    sums.textContent =
      sales.length > 0
        ? `${checked.size > 0 ? "선택" : "찾음"} ${count(sales.length)}건 · ${count(seats)}석 · ${won(amount)}`
        : "";
  }

  function createSale(sale) {
    const check = create("input", { type: "checkbox", "aria-label": `주문 ${sale.orderId} 선택` });
    check.addEventListener("change", () => {
      if (check.checked) checked.set(sale.id, sale);
      else checked.delete(sale.id);
      showSums();
    });
    const row = create("li", {}, [
      check,
      create("div", {}, [create("h3", {}, sale.orderId), create("p", { className: "soft small" }, buyerName(sale))]),
      createNames(sale.seats),
      create("strong", {}, won(sale.amount)),
      create("div", { className: "row" }, [
        createButton("티켓 인쇄", () => printTickets(desk, sale), {
          className: "quiet",
          "aria-label": `주문 ${sale.orderId} 티켓 인쇄`,
        }),
        createButton("취소", () => cancel(sale, row), {
          className: "quiet",
          "aria-label": `주문 ${sale.orderId} 취소`,
        }),
      ]),
    ]);
    return row;
  }

  function cancel(sale, row) {
    const sold = `주문 ${sale.orderId}의 ${sale.seats.length}석(${won(sale.amount)})`;
    openFormDialog({
      title: "판매 취소",
      text: `${sold} 판매를 취소할까요? 좌석은 바로 예매할 수 있게 되고, 환불은 따로 해 주세요.`,
      button: "판매 취소하기",
      danger: true,
      submit: () => desk.cancelSale(sale),
      done() {
        (row.nextElementSibling ?? row.previousElementSibling)?.querySelector("button").focus();
        row.remove();
        checked.delete(sale.id);
        list.found = list.found?.filter(({ id }) => id !== sale.id);
        showSums();
        if (!rows.childElementCount) load();
        notify("판매를 취소했어요.");
      },
    });
  }

  /** Prints the checked sales, those that were found, or all. */
  async function print() {
    try {
      const sales = checked.size > 0 ? [...checked.values()] : list.found;
      printSales(desk, sales ?? (await Array.fromAsync(readAll())));
    } catch (error) {
      notify(error.message);
    }
  }

  search.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(load, TYPING_MILLISECONDS);
  });
  desk.addEventListener("sales", load);
  load();
  return create("section", { className: "stack" }, [
    create("div", { className: "row" }, [create("h2", {}, "판매 내역"), refresh, file, paper]),
    create("div", { className: "sales-search" }, [search, sums]),
    rows,
    state,
    more,
  ]);
}

const count = number => number.toLocaleString("ko-KR");

/** Text in which a sale is found. @param {Sale} sale */
const textOf = sale => [sale.orderId, buyerName(sale), ...sale.seats.map(seatName)].join(" ").toLowerCase();

/** Downloads all sales as CSV. They are read with the headers of the manager, which a link cannot send. */
async function download(path) {
  try {
    const response = await fetch(`${path}/sales`, {
      headers: { ...readManager(), Accept: "text/csv" },
      cache: "no-store",
    }).catch(() => {
      throw new ServiceError();
    });
    if (!response.ok) throw new ServiceError(await response.json().catch(() => undefined), response.status);
    const name = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ?? "sales.csv";
    const url = URL.createObjectURL(await response.blob());
    create("a", { href: url, download: name }).click();
    // The browser has read it by then.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  } catch (error) {
    notify(error.message);
  }
}
