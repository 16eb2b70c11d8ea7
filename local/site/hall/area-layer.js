// Areas of a hall: their outlines in the colours of prices, their names with the numbers of free seats, and dots for the
// seats of areas that are large enough on the screen.

import { createSvg } from "../dom.js";
import { contains, meets } from "./geometry.js";
import { Dots } from "./kinds.js";
import { isOwned } from "./seat-layer.js";

// Heights of texts on the screen
const NAME_PIXELS = 12;
const COUNT_PIXELS = 11;
const DOT_PIXELS = 4;
// Pixels between neighbours: at least so many that a finger can choose a seat
export const LEGIBLE_PIXELS = 16;

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
    this.counts = hall.areas.map(() =>
      createSvg("tspan", { dy: "1.15em", "font-size": `${COUNT_PIXELS / NAME_PIXELS}em` }),
    );
    this.names = hall.areas.map(({ label }, index) =>
      createSvg("text", { class: "area-name" }, [createSvg("tspan", {}, label), this.counts[index]]),
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
    svg.append(group("areas", this.outlines), group("seat-dots", groups), group("names", this.names));
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
      this.counts[index].textContent = seats === 0 ? "" : free === 0 ? "매진" : `${free.toLocaleString("ko-KR")}석`;
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
    this.placeNames(view.pixels, openArea);
    for (const [index, { bounds, gap }] of this.hall.areas.entries()) {
      const isDotted = index !== openArea && gap * view.pixels >= DOT_PIXELS && meets(bounds, visible);
      const seats = isDotted ? await this.hall.seatsOf(index) : [];
      /** @type {Seat[]} */
      const free = [];
      /** @type {Seat[]} */
      const others = [];
      /** @type {Seat[]} */
      const own = [];
      for (const [number, seat] of seats.entries()) {
        const { id, kind } = seat;
        if (!contains(visible, seat)) continue;
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

  /**
   * Shows the names that have room, until single seats can be chosen, and the numbers of free seats below them.
   * @param {number} pixels Pixels of the screen for a unit of the drawing
   * @param {number | undefined} openArea
   */
  placeNames(pixels, openArea) {
    /** @type {Map<number, Rectangle>} */
    const placed = new Map();
    const place = (/** @type {number} */ index, /** @type {number} */ width, /** @type {number} */ height) => {
      const { x, y, width: across, height: down } = this.hall.areas[index].bounds;
      const box = { x: x + (across - width) / 2, y: y + (down - height) / 2, width, height };
      const isFree = [...placed].every(([other, taken]) => other === index || !meets(taken, box));
      const isPlaced = isFree && width <= across && height <= down;
      if (isPlaced) placed.set(index, box);
      return isPlaced;
    };
    const size = NAME_PIXELS / pixels;
    const named = [...this.hall.areas.keys()].filter(index => {
      const { gap, label } = this.hall.areas[index];
      const isFar = index !== openArea && gap * pixels < LEGIBLE_PIXELS;
      const isShown = isFar && place(index, widthOf(label) * size, 1.1 * size);
      this.names[index].toggleAttribute("hidden", !isShown);
      return isShown;
    });
    for (const index of named) {
      const { gap, label, bounds } = this.hall.areas[index];
      const [name, count] = [this.names[index], this.counts[index]];
      const width = Math.max(widthOf(label) * size, (widthOf(count.textContent) * COUNT_PIXELS) / pixels);
      const isCounted = gap * pixels < DOT_PIXELS && place(index, width, 2.2 * size);
      const x = bounds.x + bounds.width / 2;
      const y = bounds.y + bounds.height / 2 - (isCounted ? 0.55 * size : 0);
      for (const [attribute, value] of Object.entries({ x, y, "font-size": size }))
        name.setAttribute(attribute, String(value));
      count.setAttribute("x", String(x));
      count.toggleAttribute("hidden", !isCounted);
    }
  }

  markOpen(area) {
    for (const [index, outline] of this.outlines.entries()) outline.classList.toggle("open", index === area);
  }
}

/**
 * Returns the approximate width of a text, in heights of its letters. Those of Korean are wider.
 * @param {string | null} text
 */
const widthOf = text => [...(text ?? "")].reduce((sum, letter) => sum + (letter > "\u1100" ? 1 : 0.65), 0);
