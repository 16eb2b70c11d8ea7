// Areas of a hall: their outlines in the colours of prices, the numbers of free seats, and dots for the seats of areas
// that are large enough on the screen.

import { createSvg } from "../dom.js";

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
    this.dots = hall.areas.map(({ price, gap }) =>
      hall.paint(
        createSvg("g", { "stroke-width": gap * 0.8 }, [
          createSvg("path", { class: "dots" }),
          createSvg("path", { class: "dots", "data-state": "taken" }),
        ]),
        price,
      ),
    );
    const group = (name, elements) => createSvg("g", { class: name, "aria-hidden": "true" }, elements);
    svg.append(group("areas", this.outlines), group("seat-dots", this.dots), group("counts", this.counts));
  }

  /**
   * Shows what is free, and emphasizes the areas of a price if one is chosen.
   * @param {{ free: number, seats: number }[]} areas
   * @param {number} [price]
   */
  update(areas, price) {
    for (const [index, { free, seats }] of areas.entries()) {
      this.outlines[index].classList.toggle("sold-out", seats > 0 && free === 0);
      this.outlines[index].classList.toggle(
        "other-price",
        price !== undefined && this.hall.areas[index].price !== price,
      );
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
      const [free, taken] = this.dots[index].children;
      const seats = isDotted ? await this.hall.seatsOf(index) : [];
      const paths = { free: "", taken: "" };
      for (const [number, { id, cx, cy }] of seats.entries()) {
        if (cx < visible.x || cy < visible.y || cx > visible.x + visible.width || cy > visible.y + visible.height)
          continue;
        paths[stateOf(index, number, id) === "free" ? "free" : "taken"] += `M${cx} ${cy}h0`;
      }
      free.setAttribute("d", paths.free);
      taken.setAttribute("d", paths.taken);
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
