// Apache ECharts, rendered on the server. Arguments: file, and `default` or `no-emphasis` (an option of the renderer, ZRender).
import { writeFileSync } from 'node:fs';
import * as echarts from 'echarts';
import { areas, height, points, seatFill, seats, stage, width } from './hall.mjs';

const [file, setting] = process.argv.slice(2);
const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width, height });
const wood = new echarts.graphic.LinearGradient(0, 0, 0, 1, stage.fill.map((color, offset) => ({ offset, color })));
const elements = [{ ...stage, fill: wood }, ...areas].map((shape) => ({
  type: 'group',
  children: [
    { type: 'polygon', shape: { points: points(shape.path) }, style: { fill: shape.fill, stroke: '#333' } },
    { type: 'text', x: shape.at[0], y: shape.at[1], style: { text: shape.label, fontSize: 18, textAlign: 'center' } },
  ],
}));
for (const { x, y, r } of seats) elements.push({ type: 'circle', shape: { cx: x, cy: y, r }, style: { fill: seatFill } });
chart.setOption({ title: { text: 'Small hall', left: 'center' }, graphic: { elements } });
writeFileSync(
  file,
  setting === 'no-emphasis' ? chart.getZr().painter.renderToString({ cssEmphasis: false }) : chart.renderToSVGString(),
);
chart.dispose();
