// Prices of an event with the areas that have them.

import { create, createButton } from "../dom.js";
import { won } from "../format.js";
import { createPainter } from "../hall/price-colours.js";
import { pathOfEvent, send } from "../service/client.js";

const VISIBLE_AREAS = 6;

export function createPrices(eventId) {
  const list = create("ul", { className: "price-list" });
  load(list, eventId);
  return list;
}

async function load(list, eventId) {
  list.replaceChildren(create("li", { className: "soft" }, "불러오는 중"));
  try {
    /** @type {{ data: Schemas["ListedArea"][] }} */
    const { data: areas } = await send("GET", `${pathOfEvent(eventId)}/areas`);
    const byPrice = [...Map.groupBy(areas, ({ price }) => price)].sort(([one], [other]) => other - one);
    const paint = createPainter(byPrice.map(([price]) => price));
    list.replaceChildren(...byPrice.map(([price, areas]) => paint(createPrice(price, areas), price)));
  } catch (error) {
    const retry = createButton("다시 시도", () => load(list, eventId), {
      className: "quiet",
      "aria-label": "가격 다시 불러오기",
    });
    list.replaceChildren(create("li", {}, [create("p", { className: "error" }, error.message), retry]));
  }
}

/**
 * @param {number} price
 * @param {Schemas["ListedArea"][]} areas
 */
function createPrice(price, areas) {
  const names = areas
    .slice(0, VISIBLE_AREAS)
    .map(({ label }) => label)
    .join(", ");
  const rest = areas.length - VISIBLE_AREAS;
  const count = areas.reduce((sum, { seats }) => sum + seats, 0);
  return create("li", {}, [
    create("strong", {}, won(price)),
    create(
      "span",
      { className: "soft small" },
      `${names}${rest > 0 ? ` 외 ${rest}개 구역` : ""} · ${count.toLocaleString("ko-KR")}석`,
    ),
  ]);
}
