// Paper.js in jsdom. Argument: file.
import { writeFileSync } from 'node:fs';
import { JSDOM } from 'jsdom';
import { areas, arrow, d, height, seatFill, seats, stage, width } from './hall.mjs';

// Paper.js measures texts on a canvas, which jsdom does not have.
const { window } = new JSDOM('<body></body>', { pretendToBeVisual: true });
const context = { measureText: (text) => ({ width: 10 * text.length }), save() {}, restore() {}, scale() {}, clearRect() {} };
window.HTMLCanvasElement.prototype.getContext = () => context;
Object.assign(globalThis, { self: window, window, document: window.document });
const { default: paper } = await import('paper/dist/paper-core.js');

paper.setup(new paper.Size(width, height));
paper.project.activeLayer.name = 'hall';
const label = ({ label: content, at }) =>
  new paper.PointText({ point: at, content, justification: 'center', fontSize: 18, fillColor: '#000' });
const front = new paper.Path(d(stage.path));
front.name = 'stage';
front.strokeColor = '#000';
front.fillColor = { gradient: { stops: stage.fill }, origin: [0, 40], destination: [0, 112] };
label(stage);
for (const area of areas) {
  const block = new paper.Path(d(area.path));
  block.fillColor = area.fill;
  block.name = area.label;
  block.data = { price: 50000 };
  label(area);
}
for (const { x, y, r } of seats) new paper.Path.Circle({ center: [x, y], radius: r, fillColor: seatFill });
new paper.Path.Line({ from: arrow.from, to: arrow.to, strokeColor: '#000', strokeWidth: 2, dashArray: [6, 3] });
writeFileSync(process.argv[2], paper.project.exportSVG({ asString: true }));
process.exit();
