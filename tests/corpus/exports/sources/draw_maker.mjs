// Maker.js. Argument: file.
import { writeFileSync } from 'node:fs';
import maker from 'makerjs';
import { areas, d, seats, stage } from './hall.mjs';

const models = {};
for (const shape of [stage, ...areas]) {
  const model = maker.importer.fromSVGPathData(d(shape.path));
  model.layer = shape.latin ? 'areas' : 'stage';
  // Maker.js draws a caption along a line.
  const [x, y] = shape.at;
  model.caption = { text: shape.label, anchor: new maker.paths.Line([x - 10, -y], [x + 10, -y]) };
  models[shape.latin ?? shape.label] = model;
}
const paths = Object.fromEntries(seats.map(({ x, y, r }, i) => [`seat${i}`, new maker.paths.Circle([x, -y], r)]));
models.seats = { paths, layer: 'seats' };
const layerOptions = { areas: { stroke: 'navy', fill: '#dbe5f1' }, stage: { stroke: 'brown' } };
writeFileSync(process.argv[2], maker.exporter.toSVG({ models }, { layerOptions, fontSize: '16px', units: 'mm' }));
