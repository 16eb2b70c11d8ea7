// Rough.js in jsdom. Argument: file.
import { writeFileSync } from 'node:fs';
import { JSDOM } from 'jsdom';
import rough from 'roughjs';
import { areas, arrow, d, height, seats, stage, width } from './hall.mjs';

const { document } = new JSDOM('<body></body>').window;
const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
svg.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
globalThis.document = document;
const draw = rough.svg(svg);
const options = { seed: 7, hachureGap: 16, fixedDecimalPlaceDigits: 1 };
for (const [index, shape] of [{ ...stage, fill: stage.fill[0] }, ...areas].entries()) {
  const fillStyle = ['solid', 'hachure', 'cross-hatch', 'zigzag', 'hachure'][index];
  svg.append(draw.path(d(shape.path), { ...options, fill: shape.fill, fillStyle }));
  const text = document.createElementNS('http://www.w3.org/2000/svg', 'text');
  text.setAttribute('x', shape.at[0]);
  text.setAttribute('y', shape.at[1]);
  text.setAttribute('text-anchor', 'middle');
  text.setAttribute('font-size', 20);
  text.textContent = shape.label;
  svg.append(text);
}
for (const { x, y, r } of seats) svg.append(draw.circle(x, y, 2 * r, { ...options, disableMultiStroke: true, curveStepCount: 5 }));
svg.append(draw.line(...arrow.from, ...arrow.to, options));
writeFileSync(process.argv[2], svg.outerHTML);
