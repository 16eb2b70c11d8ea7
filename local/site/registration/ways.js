// Three ways to a hall: the file of a drawing tool, generated rows, and the hall of another event.

import { create, createButton } from "../dom.js";
import { createField } from "../forms/field.js";
import { period } from "../format.js";
import { gapOf } from "../hall/geometry.js";
import { pathOfOwnEvent } from "../service/client.js";
import { readPages, sendAsManager } from "../service/manager.js";
import { AreaList, isCount } from "./area-list.js";
import { parseDrawing, readDrawing, viewBoxOf, withoutSeats } from "./drawing.js";
import { outlineAround } from "./outline.js";
import { generateHall } from "./rows.js";

const FILE = {
  type: "file",
  label: "도면 파일",
  accept: ".svg,image/svg+xml",
  note:
    "Inkscape나 Illustrator에서 저장한 SVG예요. 원 하나가 좌석 하나이고, 이름을 붙인 그룹이나 레이어가 구역이 돼요. " +
    "휘어진 열은 열마다 그룹으로 묶어 주세요. 휠체어석, 동반석, 시야제한석은 원이나 원을 묶은 그룹에 그 이름을 붙이면 돼요.",
};
const ROWS = [
  { name: "rows", label: "열 수", inputMode: "numeric" },
  { name: "perRow", label: "열당 좌석", inputMode: "numeric" },
  { name: "position", label: "위치", type: "select", choices: { beside: "옆", behind: "뒤" } },
  {
    name: "kinds",
    label: "휠체어석·동반석·시야제한석 (선택)",
    note: "예: 10열 1, 3번 휠체어석, 10열 2, 4번 동반석, 1~5열 20번 시야제한석",
  },
];

/**
 * @typedef {object} Way
 * @property {string} name
 * @property {HTMLElement} element
 * @property {AreaList} list
 * @property {HTMLButtonElement} [add] Button that adds an area
 * @property {() => void} [open]
 * @property {(areas: any[]) => DrawnHall | undefined} hallOf Makes a hall of the areas of the list
 * @property {(number: number) => string | undefined} [lineOf] Line of the file
 */

/**
 * @param {() => void} onChange
 * @returns {Way}
 */
export function createFileWay(onChange) {
  const list = new AreaList(onChange);
  const file = createField(FILE);
  const found = create("p", { role: "status" });
  /** @type {ReturnType<typeof readDrawing> | undefined} */
  let drawing;
  // A file that was corrected under the same name can be chosen again.
  file.input.addEventListener("click", () => {
    file.input.value = "";
  });
  file.input.addEventListener("change", async () => {
    file.showError("");
    const typed = new Map(list.read().map(({ name, label, price }) => [name, { label, price }]));
    try {
      drawing = readDrawing(await file.read().text());
      if (drawing.areas.length === 0)
        throw new Error("원으로 그린 좌석을 찾지 못했어요. 좌석을 패스로 바꾸지 말고 원으로 저장해 주세요.");
    } catch (error) {
      drawing = undefined;
      file.showError(error.message);
    }
    found.textContent = drawing ? `‘${file.read().name}’에서 구역 ${drawing.areas.length}개를 찾았어요.` : "";
    // The areas of a corrected file keep what was typed for them.
    list.setAreas((drawing?.areas ?? []).map(area => ({ ...area, name: area.label, ...typed.get(area.label) })));
    onChange();
  });
  return {
    name: "도면 파일",
    list,
    element: create("div", { className: "stack" }, [file.element, found]),
    hallOf: areas => drawing && { viewBox: drawing.viewBox, totalMap: withoutSeats(drawing, areas), areas },
    lineOf: number => drawing?.source.split("\n")[number - 1]?.trim(),
  };
}

/**
 * @param {() => void} onChange
 * @returns {Way}
 */
export function createRowsWay(onChange) {
  const list = new AreaList(onChange, ROWS);
  const add = createButton(
    "구역 추가",
    () => {
      list.add({ rows: 10, perRow: 20, position: "beside", kinds: "" }).fields.label.input.focus();
      onChange();
    },
    { className: "quiet" },
  );
  list.add({ label: "A", rows: 10, perRow: 20, position: "beside", kinds: "" });
  return {
    name: "좌석 만들기",
    list,
    add,
    element: create(
      "p",
      { className: "soft" },
      "구역마다 열 수와 좌석 수를 적으면 무대 앞에 좌석을 그려 드려요. 위치는 바로 위 구역이 기준이에요.",
    ),
    hallOf: areas =>
      generateHall(
        areas.map(area => (isCount(area.rows) && isCount(area.perRow) ? area : { ...area, rows: 0, perRow: 0 })),
      ),
  };
}

/**
 * @param {() => void} onChange
 * @returns {Way}
 */
export function createCopyWay(onChange) {
  const list = new AreaList(onChange);
  const field = createField({
    label: "공연",
    type: "select",
    choices: { "": "공연을 골라 주세요" },
    note: "무대와 좌석 배치를 그대로 가져와요. 가격은 바꿀 수 있어요.",
  });
  /** @type {DrawnHall | undefined} */
  let hall;
  field.input.addEventListener("change", async () => {
    field.showError("");
    hall = undefined;
    const id = field.input.value;
    try {
      const read = id ? hallOf((await sendAsManager("GET", pathOfOwnEvent(id))).data) : undefined;
      if (id === field.input.value) hall = read;
    } catch (error) {
      field.showError(error.message);
    }
    list.setAreas(hall?.areas ?? []);
    onChange();
  });
  const open = once(() => listOwnEvents(field.input).catch(error => field.showError(error.message)));
  return {
    name: "내 공연에서 가져오기",
    list,
    element: field.element,
    open,
    hallOf: areas => hall && { ...hall, areas },
  };
}

function once(task) {
  let result;
  return () => (result ??= task());
}

async function listOwnEvents(select) {
  for await (const { id, title, place, eventDatetimes, status } of readPages(
    "/api/v1/managers/me/events?limit=100&status=all",
  )) {
    if (status !== "DELETED")
      select.append(new Option(`${title} · ${place} · ${period(eventDatetimes.map(show => show.datetime))}`, id));
  }
}

/**
 * Returns the hall of an event as the service returned it.
 * @param {Schemas["EventDetail"]} event
 * @returns {DrawnHall}
 */
function hallOf({ totalMap, areas }) {
  const root = parseDrawing(totalMap).documentElement;
  const taken = areas.map(({ label, price, areaMap, seats }) => ({
    label,
    price,
    areaMap,
    outline: outlineAround(seats, gapOf(seats) * 0.8),
    seats: seats.map(({ id, ...seat }) => seat),
  }));
  return { viewBox: viewBoxOf(root, taken), totalMap, areas: taken };
}
