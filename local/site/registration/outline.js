// Drawings of areas, which have an outline around their seats.

import { pathAround } from "../hall/geometry.js";

const DIRECTIONS = Array.from({ length: 8 }, (_, eighth) => [
  Math.cos((eighth * Math.PI) / 4),
  Math.sin((eighth * Math.PI) / 4),
]);

export const round = number => Math.round(number * 100) / 100;

/** Returns path data that surrounds seats at a distance. */
export function outlineAround(seats, distance) {
  return pathAround(
    seats.flatMap(({ cx, cy }) => DIRECTIONS.map(([x, y]) => [round(cx + x * distance), round(cy + y * distance)])),
  );
}

const escape = text => text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`);

/** Returns the text as an SVG element with attributes. */
export function markup(tag, attributes, text = "") {
  const list = Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escape(String(value))}"`)
    .join("");
  return `<${tag}${list}>${escape(text)}</${tag}>`;
}

/** Returns the drawing of an area. */
export const areaMapOf = (outline, attributes = {}) =>
  `<g>${markup("path", { class: "area-data", d: outline, ...attributes, fill: "#64748b", "fill-opacity": ".12" })}</g>`;
