// Two.js in jsdom. Argument: file.
import { writeFileSync } from 'node:fs';
import { JSDOM } from 'jsdom';
import { areas, arrow, height, points, seatFill, seats, stage, width } from './hall.mjs';

const { window } = new JSDOM('<body></body>', { pretendToBeVisual: true });
Object.assign(globalThis, { window, document: window.document, requestAnimationFrame: window.requestAnimationFrame });
const { default: Two } = await import('two.js');
const two = new Two({ type: Two.Types.svg, width, height }).appendTo(window.document.body);
const wood = two.makeLinearGradient(0, -36, 0, 36, ...stage.fill.map((fill, i) => new Two.Stop(i, fill)));
for (const shape of [{ ...stage, fill: wood }, ...areas]) {
  const outline = new Two.Path(points(shape.path).map(([x, y]) => new Two.Anchor(x, y)), true, false);
  outline.fill = shape.fill;
  outline.className = 'area';
  two.add(outline);
  two.makeText(shape.label, ...shape.at, { size: 18, family: 'NanumGothic, sans-serif' });
}
for (const { x, y, r } of seats) {
  const seat = two.makeCircle(x, y, r);
  seat.fill = seatFill;
  seat.noStroke();
}
two.makeArrow(...arrow.from, ...arrow.to, 10);
two.update();
// Two.js leaves the namespace to the serializer.
writeFileSync(process.argv[2], new window.XMLSerializer().serializeToString(two.renderer.domElement));
process.exit();
