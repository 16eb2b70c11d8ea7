// Observable Plot in jsdom. Arguments: file, and `default` or `no-style` (the style element removed).
import { writeFileSync } from 'node:fs';
import * as Plot from '@observablehq/plot';
import { JSDOM } from 'jsdom';
import { areas, height, points, seatFill, seats, stage, width } from './hall.mjs';

const { document } = new JSDOM('<body></body>').window;
const shapes = [{ ...stage, fill: stage.fill[0] }, ...areas];
const outlines = shapes.flatMap((shape) => points(shape.path).map(([x, y]) => ({ x, y, label: shape.label, fill: shape.fill })));
const svg = Plot.plot({
  document,
  width,
  height,
  axis: null,
  x: { domain: [0, width] },
  y: { domain: [height, 0] },
  marks: [
    Plot.line(outlines, { x: 'x', y: 'y', z: 'label', fill: 'fill', stroke: '#333', curve: 'linear-closed', title: 'label' }),
    Plot.dot(seats, { x: 'x', y: 'y', r: 5, fill: seatFill }),
    Plot.text(shapes, { x: ({ at }) => at[0], y: ({ at }) => at[1], text: 'label', fontSize: 16 }),
  ],
});
const [file, setting] = process.argv.slice(2);
if (setting === 'no-style') svg.querySelector('style').remove();
svg.setAttributeNS('http://www.w3.org/2000/xmlns/', 'xmlns', 'http://www.w3.org/2000/svg');
writeFileSync(file, svg.outerHTML);
