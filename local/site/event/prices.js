// Prices of an event with the areas that have them.

import { create, createButton } from "../dom.js";
import { won } from "../format.js";
import { Hall } from "../hall/hall.js";

const VISIBLE_AREAS = 6;

export function createPrices(eventId) {
  const list = create("ul", { className: "price-list" });
  load(list, eventId);
  return list;
}

async function load(list, eventId) {
  list.replaceChildren(create("li", { className: "soft" }, "불러오는 중"));
  try {
    const hall = await Hall.open(eventId);
    list.replaceChildren(
      ...hall.prices.map(price =>
        hall.paint(
          createPrice(
            price,
            hall.areas.filter(area => area.price === price),
          ),
          price,
        ),
      ),
    );
    hall.close();
  } catch (error) {
    const retry = createButton("다시 시도", () => load(list, eventId), {
      className: "quiet",
      "aria-label": "가격 다시 불러오기",
    });
    list.replaceChildren(create("li", {}, [create("p", { className: "error" }, error.message), retry]));
  }
}

function createPrice(price, areas) {
  const names = areas
    .slice(0, VISIBLE_AREAS)
    .map(({ label }) => label)
    .join(", ");
  const rest = areas.length - VISIBLE_AREAS;
  const seats = areas.reduce((sum, { count }) => sum + count, 0);
  return create("li", {}, [
    create("strong", {}, won(price)),
    create(
      "span",
      { className: "soft small" },
      `${names}${rest > 0 ? ` 외 ${rest}개 구역` : ""} · ${seats.toLocaleString("ko-KR")}석`,
    ),
  ]);
}
