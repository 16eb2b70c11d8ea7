// List of the blocked seats of a show by their labels, which says for whom they are.

import { create, createButton } from "../dom.js";
import { notify } from "../elements/toast.js";
import { openFormDialog } from "../forms/form-dialog.js";
import { areaName } from "../format.js";

const UNLABELLED = "이름 없음";

/** @param {ShowDesk} desk */
export function createBlocks(desk) {
  const section = create("section", { className: "stack blocks" });
  const showBlocks = () => {
    const focused = section.contains(document.activeElement);
    section.hidden = desk.blocks.length === 0;
    section.replaceChildren(
      create("h2", { tabIndex: -1 }, "막은 좌석"),
      create(
        "ul",
        {},
        desk.blocks.map(block => createBlock(desk, block)),
      ),
    );
    if (focused && !section.hidden) section.querySelector("h2")?.focus();
  };
  desk.addEventListener("change", showBlocks);
  showBlocks();
  return section;
}

/**
 * @param {ShowDesk} desk
 * @param {Schemas["Block"]} block
 */
function createBlock(desk, { label, seats, areas }) {
  const names = areas.map(({ id, seats }) => {
    const area = desk.hall.areas.find(area => area.id === id);
    return `${areaName(area?.label ?? "")} ${seats}석`;
  });
  const free =
    label === undefined
      ? ""
      : createButton("모두 풀기", () => openRemoval(desk, label, seats), {
          className: "quiet",
          "aria-label": `‘${label}’ 좌석 모두 풀기`,
        });
  return create("li", {}, [
    create("strong", { className: label ? "" : "soft" }, label ?? UNLABELLED),
    create("span", {}, `${seats.toLocaleString("ko-KR")}석`),
    create("span", { className: "soft small" }, names.join(", ")),
    free,
  ]);
}

/** @param {ShowDesk} desk */
function openRemoval(desk, label, seats) {
  openFormDialog({
    title: "막기 해제",
    text: `‘${label}’ 좌석 ${seats}석을 모두 풀까요? 바로 예매할 수 있게 돼요.`,
    button: "모두 풀기",
    submit: () => desk.freeLabel(label),
    done: free => notify(`막아 둔 ${free}석을 풀었어요.`),
  });
}
