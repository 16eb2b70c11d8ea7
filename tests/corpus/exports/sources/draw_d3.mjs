// D3 in jsdom. Argument: file.
import { writeFileSync } from 'node:fs';
import * as d3 from 'd3';
import { JSDOM } from 'jsdom';
import { areas, arrow, d, height, seatFill, seats, stage, width } from './hall.mjs';

const { document } = new JSDOM('<body></body>').window;
const svg = d3.select(document.body).append('svg');
svg.attr('xmlns', 'http://www.w3.org/2000/svg').attr('viewBox', [0, 0, width, height]);
svg.attr('style', 'max-width: 100%; height: auto; font: 16px sans-serif;');
const wood = svg.append('defs').append('linearGradient').attr('id', 'wood').attr('x2', 0).attr('y2', 1);
wood.selectAll('stop').data(stage.fill).join('stop').attr('offset', (_, i) => i).attr('stop-color', (fill) => fill);
svg.append('path').attr('d', d(stage.path)).attr('fill', 'url(#wood)').attr('stroke', '#000');
svg.append('text').attr('transform', `translate(${stage.at})`).attr('text-anchor', 'middle').text(stage.label);
const area = svg.append('g').selectAll('g').data(areas).join('g').attr('class', 'area');
area.append('path').attr('d', ({ path }) => d(path)).attr('fill', ({ fill }) => fill);
area.append('title').text(({ label }) => label);
area.append('text').attr('transform', ({ at }) => `translate(${at})`).attr('text-anchor', 'middle').text(({ label }) => label);
svg.append('g').attr('fill', seatFill).selectAll('circle').data(seats).join('circle')
  .attr('cx', ({ x }) => x).attr('cy', ({ y }) => y).attr('r', ({ r }) => r);
svg.append('path').attr('d', d3.line()([arrow.from, arrow.to, [314, 446]])).attr('fill', 'none').attr('stroke', '#000');
writeFileSync(process.argv[2], svg.node().outerHTML);
