// Gates of a show, the links with which people at the door admit, and who is inside.

import { create, createButton } from "../dom.js";
import { openDialog } from "../elements/dialog.js";
import { notify } from "../elements/toast.js";
import { openFormDialog } from "../forms/form-dialog.js";

const count = number => number.toLocaleString("ko-KR");

/** @param {ShowDesk} desk */
export function createGates(desk) {
  const inside = create("div", { className: "stack" });
  const list = create("ul", { className: "gates" });
  let loaded = "";

  async function load() {
    /** @type {[{ data: Schemas["Gate"][] }, { data: Schemas["Admissions"] }]} */
    const [{ data: gates }, { data: admissions }] = await Promise.all([
      desk.send("GET", "/gates"),
      desk.send("GET", "/admissions"),
    ]);
    const text = JSON.stringify([gates, admissions]);
    if (text === loaded) return;
    loaded = text;
    const isOpen = inside.querySelector("details")?.open ?? false;
    inside.replaceChildren(createInside(admissions, isOpen));
    list.replaceChildren(...gates.map(gate => createGate(desk, gate, load)));
  }

  const add = () =>
    openFormDialog({
      title: "게이트 만들기",
      fields: [{ name: "name", label: "게이트 이름", maxLength: 50, note: "입장 기록에 남아요. 예: 정문, 2층 왼쪽" }],
      button: "만들기",
      submit: async ({ name }) => (await desk.send("POST", "/gates", { name: name.input.value })).data,
      done(gate) {
        openLink(desk, gate);
        load().catch(() => {});
      },
    });
  desk.addEventListener("poll", () => list.childElementCount > 0 && load().catch(() => {}));
  load().catch(error => inside.replaceChildren(create("p", { className: "error" }, error.message)));
  return create("section", { className: "stack" }, [
    create("div", { className: "row" }, [
      create("h2", {}, "입장"),
      createButton("게이트 만들기", add, { className: "quiet" }),
    ]),
    inside,
    list,
  ]);
}

/**
 * Creates the numbers of the people inside, in all and by area.
 * @param {Schemas["Admissions"]} admissions
 */
function createInside({ sold, admitted, areas }, isOpen) {
  const row = area =>
    create("tr", {}, [
      create("th", { scope: "row" }, area.label),
      create("td", {}, count(area.admitted)),
      create("td", {}, count(area.sold)),
    ]);
  const head = ["구역", "입장", "판매"].map(text => create("th", { scope: "col" }, text));
  const table = create("table", {}, [create("thead", {}, create("tr", {}, head)), create("tbody", {}, areas.map(row))]);
  const frame = { className: "table-frame", tabIndex: 0, role: "region", "aria-label": "구역별 입장" };
  return create("div", { className: "stack" }, [
    create("p", { className: "inside" }, [create("strong", {}, count(admitted)), ` / ${count(sold)}명 입장`]),
    create("details", { open: isOpen }, [create("summary", {}, "구역별 입장"), create("div", frame, table)]),
  ]);
}

/**
 * @param {ShowDesk} desk
 * @param {Schemas["Gate"]} gate
 */
function createGate(desk, { id, name, admitted }, load) {
  const remove = () =>
    openFormDialog({
      title: "게이트 삭제",
      text: `‘${name}’ 게이트를 삭제할까요? 링크는 바로 쓸 수 없게 되고, 입장 기록은 남아요.`,
      button: "게이트 삭제하기",
      danger: true,
      submit: () => desk.send("DELETE", `/gates/${id}`),
      async done() {
        notify("게이트를 삭제했어요.");
        await load().catch(() => {});
      },
    });
  return create("li", {}, [
    create("strong", {}, name),
    create("span", {}, `${count(admitted)}명`),
    createButton("삭제", remove, { className: "quiet", "aria-label": `‘${name}’ 게이트 삭제` }),
  ]);
}

/**
 * Shows the link of a new gate, which the service tells only once.
 * @param {ShowDesk} desk
 * @param {Schemas["NewGate"]} gate
 */
function openLink({ event, show }, { name, token }) {
  const url = `${location.origin}/gate#${new URLSearchParams({ token, event: event.id, show: show.id })}`;
  const qr = create("img", { className: "gate-qr", alt: `‘${name}’ 게이트 링크 QR 코드`, hidden: true });
  // The body is not logged; the address of a request would be.
  const draw = async () => {
    const response = await fetch("/qr", { method: "POST", body: url });
    qr.src = `data:image/svg+xml,${encodeURIComponent(await response.text())}`;
    qr.hidden = !response.ok;
  };
  draw().catch(() => {});
  const field = create("input", { readOnly: true, value: url, "aria-label": "게이트 링크" });
  const copy = async () => {
    field.select();
    // Browsers have a clipboard only on HTTPS and localhost; elsewhere the selected text can be copied.
    try {
      await navigator.clipboard.writeText(url);
      notify("링크를 복사했어요.");
    } catch {
      notify("링크를 골라 두었어요. 직접 복사해 주세요.");
    }
  };
  const share = () => navigator.share({ title: `${event.title} ${name}`, url }).catch(() => {});
  openDialog(
    `‘${name}’ 게이트 링크`,
    create("div", { className: "stack" }, [
      create(
        "p",
        {},
        "게이트를 맡은 분의 휴대폰 카메라로 찍어서 열어 주세요. 이 링크를 가진 사람은 누구나 입장을 확인할 수 있어요.",
      ),
      create("p", {}, create("strong", {}, "지금만 볼 수 있어요. 잃어버리면 게이트를 삭제하고 다시 만드세요.")),
      qr,
      field,
      create("div", { className: "row" }, [
        createButton("링크 복사", copy),
        "share" in navigator && createButton("공유", share, { className: "quiet" }),
        create("a", { href: url, target: "_blank", className: "button quiet" }, "이 기기에서 열기"),
      ]),
    ]),
  );
}
