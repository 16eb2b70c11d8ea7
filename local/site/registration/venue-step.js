// Step of the hall: one of three ways, its areas, a preview, and the faults of its drawing.

import { create, createButton } from "../dom.js";
import { createPreview } from "./preview.js";
import { createCopyWay, createFileWay, createRowsWay } from "./ways.js";

/** @import { Way } from "./ways.js" */

const PAUSE_MILLISECONDS = 150;

export function createVenueStep() {
  const ways = [createFileWay, createRowsWay, createCopyWay].map(createWay => createWay(refreshSoon));
  const buttons = ways.map((way, index) => createButton(way.name, () => select(index)));
  const tabs = create("div", { className: "tabs", role: "group", "aria-label": "공연장을 정하는 방법" }, buttons);
  const controls = create("div", { className: "stack" });
  const preview = create("div");
  const error = create("p", { className: "error" });
  const faults = create("ol", { className: "faults" });
  /** @type {Way} */
  let way;
  let timer;

  function select(index) {
    way = ways[index];
    for (const [number, button] of buttons.entries()) button.ariaPressed = String(number === index);
    controls.replaceChildren(way.element, way.list.element, ...(way.add ? [way.add] : []));
    way.open?.();
    clearErrors();
    refresh();
  }

  /**
   * Returns the hall of the chosen way, or undefined without areas.
   * @returns {DrawnHall | undefined}
   */
  function readHall() {
    const areas = way.list.read();
    return areas.length > 0 ? way.hallOf(areas) : undefined;
  }

  /** Returns the hall as the service takes it. */
  function read() {
    const { totalMap, areas = [] } = readHall() ?? {};
    return { totalMap, areas: areas.map(({ label, price, areaMap, seats }) => ({ label, price, areaMap, seats })) };
  }

  function refreshSoon() {
    clearTimeout(timer);
    timer = setTimeout(refresh, PAUSE_MILLISECONDS);
  }

  function refresh() {
    const hall = readHall();
    if (hall) way.list.showCounts(hall.areas);
    preview.replaceChildren(...(hall ? [createPreview(hall)] : []));
  }

  function clearErrors() {
    error.textContent = "";
    faults.replaceChildren();
    way.list.clearErrors();
  }

  function showMissing() {
    if (!readHall()) error.textContent = "공연장의 구역을 하나 이상 정해 주세요.";
    way.list.showMissing();
  }

  /** Shows a reason at its area, or below the drawing with the line of the file to which it belongs. */
  function showError(path, reason) {
    if (!/^(areas|totalMap)\b/.test(path)) return false;
    const [, index, name] = /^areas\[(\d+)\]\.(label|price)$/.exec(path) ?? [];
    if (name) {
      way.list.rows[index].fields[name].showError(reason);
      return true;
    }
    error.textContent = "서비스가 이 도면을 받아들이지 않았어요. 아래 내용을 고친 뒤 파일을 다시 골라 주세요.";
    const line = path === "totalMap" && way.lineOf?.(Number(/^([\d,]+)번째 줄/.exec(reason)?.[1].replaceAll(",", "")));
    faults.append(create("li", {}, [reason, line && create("code", {}, line)]));
    return true;
  }

  // Faults belong to the file before.
  controls.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement && target.type === "file") clearErrors();
  });
  select(0);
  const element = create("div", { className: "venue" }, [
    create("div", { className: "stack" }, [tabs, controls]),
    create("div", { className: "stack" }, [preview, error, faults]),
  ]);
  return { title: "공연장", element, clearErrors, showMissing, showError, read, readHall };
}
