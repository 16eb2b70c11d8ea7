// Satori (HTML and CSS as SVG). Arguments: font, file.
import { readFileSync, writeFileSync } from 'node:fs';
import satori from 'satori';
import { areas, height, stage, width } from './hall.mjs';

const [font, file] = process.argv.slice(2);
const block = ({ label, fill }, style) => ({
  type: 'div',
  props: { style: { display: 'flex', alignItems: 'center', justifyContent: 'center', background: fill, ...style }, children: label },
});
const wood = `linear-gradient(${stage.fill.join(', ')})`;
const row = { display: 'flex', justifyContent: 'space-between' };
const hall = {
  type: 'div',
  props: {
    style: { display: 'flex', flexDirection: 'column', justifyContent: 'space-around', width: width - 60, height: height - 60, margin: 30, fontSize: 24 },
    children: [
      block({ label: stage.label, fill: wood }, { height: 80, margin: '0 150px', borderRadius: '0 0 60px 60px' }),
      { type: 'div', props: { style: row, children: areas.slice(0, 3).map((area) => block(area, { width: 180, height: 120, borderRadius: 8 })) } },
      block(areas[3], { height: 100, borderRadius: '10px 10px 80px 80px' }),
    ],
  },
};
const fonts = [{ name: 'NanumGothic', data: readFileSync(font), weight: 400, style: 'normal' }];
writeFileSync(file, await satori(hall, { width, height, fonts }));
