// svg.js with svgdom. Argument: file.
import { writeFileSync } from 'node:fs';
import { SVG, registerWindow } from '@svgdotjs/svg.js';
import { createSVGWindow } from 'svgdom';
import { areas, arrow, d, height, seatFill, seats, stage, width } from './hall.mjs';

const window = createSVGWindow();
registerWindow(window, window.document);
const canvas = SVG(window.document.documentElement).size(width, height).viewbox(0, 0, width, height);
const wood = canvas.gradient('linear', (add) => stage.fill.forEach((fill, offset) => add.stop(offset, fill)));
wood.from(0, 0).to(0, 1);
const label = (parent, { label: text, at }) => parent.text(text).font({ size: 18, anchor: 'middle' }).center(...at);
const front = canvas.group().id('stage');
front.path(d(stage.path)).fill(wood).stroke('#000');
label(front, stage);
for (const area of areas) {
  const group = canvas.group().data('label', area.label);
  group.path(d(area.path)).fill(area.fill);
  label(group, area);
}
const places = canvas.group().fill(seatFill);
seats.forEach(({ x, y, r }) => places.circle(2 * r).center(x, y));
canvas.line([arrow.from, arrow.to]).stroke({ width: 2, color: '#000' }).marker('end', 8, 8, (add) => add.path('M0 0 8 4 0 8z'));
writeFileSync(process.argv[2], canvas.svg());
