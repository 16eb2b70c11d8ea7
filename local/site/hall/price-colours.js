// Colours of prices, which are those of the picture of the service.

// From the lowest price to the highest, as in `shared/seating/src/plan/colour.rs`
const COLOURS = ["#0ba682", "#0b9594", "#0a84a6", "#2d6cc4", "#4f54e2", "#6e2fbc", "#8d0996", "#8b0663", "#880330"];

/**
 * Returns a function that gives an element the colour of a price and returns it. More than nine prices share colours.
 * @param {number[]} prices
 */
export function createPainter(prices) {
  const sorted = [...new Set(prices)].sort((one, other) => one - other);
  const count = Math.min(sorted.length, COLOURS.length);
  /**
   * @template {HTMLElement | SVGElement} E
   * @param {E} element
   * @param {number} price
   */
  return (element, price) => {
    const band = Math.ceil(((sorted.indexOf(price) + 1) * count) / sorted.length) - 1;
    element.style.setProperty(
      "--price",
      COLOURS[Math.floor((Math.max(0, band) * (COLOURS.length - 1)) / Math.max(1, count - 1))],
    );
    return element;
  };
}
