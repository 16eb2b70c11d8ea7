// Halls that are generated: a stage, and areas with straight rows in front of it.

import { areaMapOf, markup, outlineAround } from "./outline.js";
import { kindsOf } from "./row-kinds.js";

const GAP = 24;
const AISLE = 56;
const MARGIN = 48;
const STAGE_HEIGHT = 48;
const LABEL_HEIGHT = 30;

/**
 * Returns the hall of areas, each `beside` the area before, or `behind` it.
 * @param {RowsArea[]} areas
 * @returns {DrawnHall}
 *
 * @typedef {{ label: string, price: number | string, rows: number, perRow: number, position: string,
 *   kinds: string }} RowsArea
 */
export function generateHall(areas) {
  /** @type {RowsArea[][]} */
  const blocks = [];
  for (const area of areas) {
    if (blocks.length === 0 || area.position === "behind") blocks.push([area]);
    else blocks[blocks.length - 1].push(area);
  }
  const widthOf = (/** @type {RowsArea} */ { perRow }) => perRow * GAP;
  const widths = blocks.map(block => block.reduce((sum, area) => sum + widthOf(area) + AISLE, -AISLE));
  const width = Math.max(400, ...widths) + 2 * MARGIN;
  let top = MARGIN + STAGE_HEIGHT + AISLE;
  const labels = /** @type {string[]} */ ([]);
  const placed = /** @type {DrawnArea[]} */ ([]);
  for (const [index, block] of blocks.entries()) {
    let left = (width - widths[index]) / 2;
    for (const area of block) {
      const kindOf = kindsOf(area.kinds);
      const seats = Array.from({ length: area.rows * area.perRow }, (_, seat) => {
        const row = Math.floor(seat / area.perRow);
        const number = seat % area.perRow;
        return {
          cx: left + (number + 0.5) * GAP,
          cy: top + LABEL_HEIGHT + (row + 0.5) * GAP,
          row: row + 1,
          number: number + 1,
          kind: kindOf(row + 1, number + 1),
        };
      });
      const size = Math.min(16, widthOf(area) / (area.label.length || 1));
      labels.push(text(left + widthOf(area) / 2, top + 12, size, area.label));
      const outline = outlineAround(seats, GAP * 0.7);
      placed.push({ label: area.label, price: area.price, seats, outline, areaMap: areaMapOf(outline) });
      left += widthOf(area) + AISLE;
    }
    top += LABEL_HEIGHT + Math.max(...block.map(({ rows }) => rows)) * GAP + AISLE;
  }
  const height = top - AISLE + MARGIN;
  const viewBox = [0, 0, width, height];
  const stage = { x: width / 2 - 160, y: MARGIN, width: 320, height: STAGE_HEIGHT, rx: 8, fill: "#343a40" };
  const totalMap =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox.join(" ")}">` +
    markup("rect", { width, height, fill: "#f8f9fa" }) +
    markup("rect", stage) +
    text(width / 2, MARGIN + 30, 18, "무대", "#fff") +
    labels.join("") +
    "</svg>";
  return { viewBox, totalMap, areas: placed };
}

const text = (x, y, size, content, fill = "#343a40") =>
  markup("text", { x, y, "font-size": size, "font-family": "sans-serif", "text-anchor": "middle", fill }, content);
