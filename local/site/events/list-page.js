// List of events, with search and filters that the address keeps.

import "../elements/site-header.js";
import { byId, create, createButton } from "../dom.js";
import { createFailure, createNotice, createSkeletons } from "../elements/states.js";
import { nextPath, send } from "../service/client.js";
import { isForSale } from "../service/shows.js";
import { createCard } from "./event-card.js";
import { createFilters, listsOf } from "./filters.js";

const PAGE = 12;
const count = create("p", { className: "soft count", role: "status" });
const cards = create("ul", { className: "cards" });
const state = create("div");
const more = createButton("더 보기", () => append({ hasFocus: true }), { className: "quiet more", hidden: true });

// Lists of the search that follow the shown cards, each from its next page on.
let lists = [];
let filters;
let request = 0;

/** Shows the events of a search from the beginning. The cards of the one before stay until then. */
async function search(chosen) {
  filters = chosen;
  lists = filters.isReversed ? [] : listsOf(filters, PAGE);
  more.hidden = true;
  count.textContent = "";
  if (cards.childElementCount === 0) state.replaceChildren(createSkeletons(8, "card"));
  cards.ariaBusy = "true";
  await append({ isNew: true });
}

/** Appends a page of cards, or replaces the cards by it. The response to an earlier search is ignored. */
async function append({ isNew = false, hasFocus = false }) {
  const current = ++request;
  const added = [];
  const replaceEarlier = () => {
    if (!isNew) return;
    cards.replaceChildren();
    state.replaceChildren();
    isNew = false;
  };
  try {
    while (lists.length > 0 && added.length < PAGE) {
      const [{ path, isOfRest }] = lists;
      const { data, headers } = await send("GET", path);
      if (current !== request) return;
      const next = nextPath(headers);
      lists.splice(0, 1, ...(next ? [{ path: next, isOfRest }] : []));
      const page = data.filter(event => !isOfRest || !isForSale(event)).map(createCard);
      replaceEarlier();
      cards.append(...page);
      added.push(...page);
    }
    replaceEarlier();
    state.replaceChildren(...(cards.childElementCount === 0 ? [createEmpty()] : []));
    count.textContent =
      cards.childElementCount === 0 ? "" : `공연 ${cards.childElementCount}개${lists.length > 0 ? " 이상" : ""}`;
  } catch (error) {
    if (current !== request) return;
    replaceEarlier();
    state.replaceChildren(createFailure(error, () => append({ hasFocus: true })));
  }
  cards.ariaBusy = null;
  more.hidden = lists.length === 0 || state.childElementCount > 0;
  if (hasFocus) (added[0] ?? cards.lastElementChild)?.querySelector("a").focus({ preventScroll: true });
}

function createEmpty() {
  const text = words => create("p", { className: "soft" }, words);
  if (filters.isReversed)
    return createNotice("calendar", "공연일을 다시 골라 주세요", text("마지막 날이 첫날보다 빨라요."));
  if (filters.isFiltered) {
    return createNotice(
      "search",
      "찾는 공연이 없어요",
      text("검색어나 조건을 바꿔 보세요."),
      createButton("검색 초기화", () => form.reset(), { className: "quiet" }),
    );
  }
  return createNotice(
    "ticket",
    "아직 등록된 공연이 없어요",
    text("서비스를 멈추고 다음 명령으로 시작하면 샘플 공연이 생겨요."),
    create("p", {}, create("code", {}, "cargo run -p local -- --sample")),
  );
}

const form = createFilters(search);
byId("main").replaceChildren(create("h1", {}, "공연"), form, count, cards, state, more);
