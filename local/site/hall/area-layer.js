// Areas of a hall: their outlines in the colours of prices, the numbers of free seats, and dots for the seats of areas
// that are large enough on the screen.

import { createSvg } from "../dom.js";
import { Dots } from "./kinds.js";
import { isOwned } from "./seat-layer.js";

// Size on the screen that the number of free seats needs
const COUNT_PIXELS = [34, 14];
const DOT_PIXELS = 4;

export class AreaLayer {
  /**
   * @param {Hall} hall
   * @param {SVGSVGElement} svg
   */
  constructor(hall, svg) {
    this.hall = hall;
    this.outlines = hall.areas.map(({ outline, label, price }, index) =>
      hall.paint(
        createSvg("path", { d: outline, class: "area", "data-area": index }, createSvg("title", {}, `${label}구역`)),
        price,
      ),
    );
    this.counts = hall.areas.map(({ bounds }) =>
      createSvg("text", { x: bounds.x + bounds.width / 2, y: bounds.y + bounds.height / 2, class: "count" }),
    );
    this.dots = hall.areas.map(({ gap, kinds }) => ({
      free: new Dots(
        hall.kinds.filter(kind => kinds[kind]),
        gap * 0.8,
      ),
      others: new Dots([], gap * 0.8),
      own: new Dots([], gap * 0.8),
    }));
    const groups = this.dots.map(({ free, others, own }, index) => {
      const groupOf = (name, { elements }) => createSvg("g", { class: name }, elements);
      const groups = [groupOf("others", others), groupOf("own", own)];
      return hall.paint(createSvg("g", {}, [...free.elements, ...groups]), hall.areas[index].price);
    });
    const group = (name, elements) => createSvg("g", { class: name, "aria-hidden": "true" }, elements);
    svg.append(group("areas", this.outlines), group("seat-dots", groups), group("counts", this.counts));
  }

  /**
   * Shows what is free, and emphasizes areas.
   * @param {{ free: number, seats: number }[]} areas
   * @param {Emphasis} emphasis
   */
  update(areas, { price, kind }) {
    this.kind = kind;
    for (const [index, { free, seats }] of areas.entries()) {
      this.outlines[index].classList.toggle("sold-out", seats > 0 && free === 0);
      const area = this.hall.areas[index];
      const isOther = (price !== undefined && area.price !== price) || (kind !== undefined && !area.kinds[kind]);
      this.outlines[index].classList.toggle("other", isOther);
      this.counts[index].textContent = seats === 0 ? "" : free === 0 ? "매진" : free.toLocaleString("ko-KR");
    }
  }

  /**
   * Adapts texts and dots to the scale and the visible part. The open area has its own seats.
   * @param {Viewport} view
   * @param {Rectangle} visible
   * @param {number | undefined} openArea
   * @param {StateOf} stateOf
   */
  async draw(view, visible, openArea, stateOf) {
    for (const [index, { bounds, gap }] of this.hall.areas.entries()) {
      const isDotted = index !== openArea && gap * view.pixels >= DOT_PIXELS && meets(bounds, visible);
      const count = this.counts[index];
      const [width, height] = COUNT_PIXELS;
      const hasSpace = bounds.width * view.pixels >= width && bounds.height * view.pixels >= height;
      count.toggleAttribute("hidden", isDotted || index === openArea || !hasSpace);
      count.setAttribute("font-size", String(11 / view.pixels));
      const seats = isDotted ? await this.hall.seatsOf(index) : [];
      /** @type {Seat[]} */
      const free = [];
      /** @type {Seat[]} */
      const others = [];
      /** @type {Seat[]} */
      const own = [];
      for (const [number, seat] of seats.entries()) {
        const { id, cx, cy, kind } = seat;
        if (cx < visible.x || cy < visible.y || cx > visible.x + visible.width || cy > visible.y + visible.height)
          continue;
        const isOther = this.kind !== undefined && kind !== this.kind;
        const state = stateOf(index, number, id);
        if (isOwned(state)) own.push(seat);
        else (state === "free" && !isOther ? free : others).push(seat);
      }
      this.dots[index].free.draw(free);
      this.dots[index].others.draw(others);
      this.dots[index].own.draw(own);
    }
  }

  markOpen(area) {
    for (const [index, outline] of this.outlines.entries()) outline.classList.toggle("open", index === area);
  }
}

/**
 * Tells if two rectangles have a part in common.
 * @param {Rectangle} one
 * @param {Rectangle} other
 */
function meets(one, other) {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}
