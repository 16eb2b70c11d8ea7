// List of the sales of a show, with pages, cancellation, and a file for spreadsheets.

import { create, createButton } from "../dom.js";
import { createFailure, createNotice } from "../elements/states.js";
import { notify } from "../elements/toast.js";
import { openFormDialog } from "../forms/form-dialog.js";
import { won } from "../format.js";
import { nextPath, ServiceError } from "../service/client.js";
import { readManager, sendAsManager } from "../service/manager.js";
import { createNames } from "./choice.js";

/** @param {ShowDesk} desk */
export function createSales(desk) {
  const rows = create("ul", { className: "sales" });
  const state = create("div");
  const more = createButton("더 보기", showMore, { className: "quiet more", hidden: true });
  const refresh = createButton("새로 고침", load, { className: "quiet" });
  const file = createButton("CSV 내려받기", () => download(desk.path), { className: "quiet" });
  let next;
  let request;

  async function append() {
    request?.abort();
    const { signal } = (request = new AbortController());
    try {
      const { data, headers } = await sendAsManager("GET", next, { signal });
      if (signal.aborted) return undefined;
      const added = data.map(createSale);
      rows.append(...added);
      next = nextPath(headers);
      more.hidden = !next;
      state.replaceChildren(rows.childElementCount ? "" : createNotice("ticket", "아직 판매한 좌석이 없어요"));
      return added[0];
    } catch (error) {
      if (error.name !== "AbortError") state.replaceChildren(createFailure(error, append));
      return undefined;
    }
  }

  async function showMore() {
    (await append())?.querySelector("button").focus({ preventScroll: true });
  }

  function load() {
    next = `${desk.path}/sales?limit=20`;
    rows.replaceChildren();
    return append();
  }

  function createSale(sale) {
    const row = create("li", {}, [
      create("div", {}, [
        create("h3", {}, sale.orderId),
        create("p", { className: "soft small" }, sale.memberId ? `회원 ${sale.memberId}` : "현장 판매"),
      ]),
      createNames(sale.seats),
      create("strong", {}, won(sale.amount)),
      createButton("취소", () => cancel(sale, row), { className: "quiet", "aria-label": `주문 ${sale.orderId} 취소` }),
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
        if (!rows.childElementCount) load();
        notify("판매를 취소했어요.");
      },
    });
  }

  desk.addEventListener("sales", load);
  load();
  return create("section", { className: "stack" }, [
    create("div", { className: "row" }, [create("h2", {}, "판매 내역"), refresh, file]),
    rows,
    state,
    more,
  ]);
}

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
