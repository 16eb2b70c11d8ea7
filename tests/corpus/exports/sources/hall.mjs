// The hall of hall.json, for the Node scripts.

import { readFileSync } from 'node:fs';

const hall = JSON.parse(readFileSync(new URL('hall.json', import.meta.url), 'utf8'));
export const { title, width, height, stage, areas, arrow } = hall;
export const seatFill = hall.seats.fill;

// Formats a path as the value of an SVG `d` attribute.
export const d = (path) => path.map((command) => command.join(' ')).join(' ');

// Centre and radius of each seat.
export const seats = Array.from({ length: hall.seats.rows * hall.seats.columns }, (_, index) => ({
  x: hall.seats.first[0] + (index % hall.seats.columns) * hall.seats.step,
  y: hall.seats.first[1] + Math.floor(index / hall.seats.columns) * hall.seats.step,
  r: hall.seats.radius,
}));

// Flattens a path into the vertices of a polygon.
export function points(path, steps = 8) {
  const vertices = [];
  for (const [letter, ...numbers] of path) {
    if (letter === 'M' || letter === 'L') vertices.push(numbers);
    if (letter !== 'C') continue;
    const ends = [vertices.at(-1), numbers.slice(0, 2), numbers.slice(2, 4), numbers.slice(4)];
    for (let step = 1; step <= steps; step += 1) {
      const t = step / steps;
      const weights = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3];
      const at = (axis) => ends.reduce((sum, end, i) => sum + weights[i] * end[axis], 0);
      vertices.push([0, 1].map((axis) => Math.round(at(axis) * 100) / 100));
    }
  }
  return vertices;
}
