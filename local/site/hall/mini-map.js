// Small map of the hall, which shows the visible part while the hall is zoomed.

import { createSvg } from "../dom.js";

// Usual width on the screen
const WIDTH = 130;

export class MiniMap {
  /** @param {Hall} hall */
  constructor(hall) {
    const [x, y, width, height] = hall.viewBox;
    this.window = createSvg("rect", { class: "window" });
    const areas = hall.areas.map(({ outline, price }) =>
      hall.paint(createSvg("path", { d: outline, class: "area" }), price),
    );
    const pixel = width / WIDTH;
    this.element = createSvg(
      "svg",
      { class: "mini-map", viewBox: `${x} ${y} ${width} ${height}`, "aria-hidden": "true" },
      [...areas, this.window],
    );
    this.element.style.setProperty("--pixel", `${pixel}px`);
  }

  /**
   * @param {Rectangle} window
   * @param {boolean} isShown
   */
  showWindow({ x, y, width, height }, isShown) {
    this.element.toggleAttribute("hidden", !isShown);
    for (const [name, value] of Object.entries({ x, y, width, height })) this.window.setAttribute(name, String(value));
  }
}
