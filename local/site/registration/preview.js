// Picture of a hall with its areas and seats. The drawing is an image, in which nothing runs.

import { create, createSvg } from "../dom.js";
import { KIND_NAMES } from "../format.js";
import { gapOf } from "../hall/geometry.js";
import { Dots, KINDS } from "../hall/kinds.js";
import { createPainter } from "../hall/price-colours.js";
import { plainRoot } from "./drawing.js";

const ROOT = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';

/** @param {DrawnHall} hall */
export function createPreview({ viewBox, totalMap, areas }) {
  const [, , width, height] = viewBox;
  const box = viewBox.join(" ");
  const paint = createPainter(areas.map(({ price }) => Number(price)));
  const layers = areas.map(({ outline, attributes, seats, price }) => {
    const dots = new Dots(
      KINDS.filter(kind => seats.some(seat => seat.kind === kind)),
      gapOf(seats) * 0.75,
    );
    dots.draw(seats);
    return paint(
      createSvg("g", {}, [createSvg("path", { class: "area", d: outline, ...attributes }), ...dots.elements]),
      Number(price),
    );
  });
  const plain = plainRoot(totalMap, box);
  const content = /^\s*<(svg|g)\b/.test(plain) ? plain : "";
  const root = `<svg ${ROOT} viewBox="${box}" width="${width}" height="${height}">${content}</svg>`;
  const all = areas.flatMap(({ seats }) => seats);
  const count = seats => `${seats.length.toLocaleString("ko-KR")}석`;
  const kinds = KINDS.map(kind => ({ name: KIND_NAMES[kind], seats: all.filter(seat => seat.kind === kind) }))
    .filter(({ seats }) => seats.length > 0)
    .map(({ name, seats }) => ` · ${name} ${count(seats)}`);
  return create("figure", { className: "preview" }, [
    create("div", {}, [
      create("img", { src: `data:image/svg+xml,${encodeURIComponent(root)}`, alt: "", width, height }),
      createSvg("svg", { viewBox: box, role: "img", "aria-label": "공연장 미리 보기" }, layers),
    ]),
    create("figcaption", { className: "small soft" }, `구역 ${areas.length}개 · 좌석 ${count(all)}${kinds.join("")}`),
  ]);
}
