// Drawings of areas, which have an outline around their seats.

import { pathAround } from "../hall/geometry.js";

const DIRECTIONS = Array.from({ length: 8 }, (_, eighth) => (eighth * Math.PI) / 4);

export const round = number => Math.round(number * 100) / 100;

/**
 * Returns path data that surrounds seats at a distance.
 * @param {Place[]} seats
 * @param {number} distance
 */
export function outlineAround(seats, distance) {
  /** @type {(seat: Place, direction: number) => Point} */
  const pointAt = ({ cx, cy }, direction) => [
    round(cx + Math.cos(direction) * distance),
    round(cy + Math.sin(direction) * distance),
  ];
  return pathAround(seats.flatMap(seat => DIRECTIONS.map(direction => pointAt(seat, direction))));
}

const escape = text => text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`);

/**
 * Returns the text as an SVG element with attributes.
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 */
export function markup(tag, attributes, text = "") {
  const list = Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escape(String(value))}"`)
    .join("");
  return `<${tag}${list}>${escape(text)}</${tag}>`;
}

/**
 * Returns the drawing of an area.
 * @param {string} outline
 * @param {Record<string, string>} attributes
 */
export const areaMapOf = (outline, attributes = {}) =>
  `<g>${markup("path", { class: "area-data", d: outline, ...attributes, fill: "#64748b", "fill-opacity": ".12" })}</g>`;
