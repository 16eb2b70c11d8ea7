// A manager's own events: edit, replace the poster, delete and restore.

const MANAGER_FIELDS = [
  { name: "manager", label: "관리자 ID 또는 토큰", type: "text", autocomplete: "off", spellcheck: false },
  { name: "status", label: "상태", options: { live: "등록됨", deleted: "삭제됨", all: "전체" } },
];
const EVENT_FIELDS = [
  { name: "title", label: "제목", type: "text" },
  { name: "place", label: "장소", type: "text" },
  { name: "artist", label: "출연자", type: "text" },
  { name: "description", label: "설명", type: "textarea" },
  { name: "ticketingOpenTime", label: "예매 시작 (한국 시간)", type: "time" },
  { name: "eventOpenTime", label: "공연 오픈 (한국 시간)", type: "time" },
  { name: "eventDatetimes", label: "공연 일시 (한국 시간)", type: "times" },
];
const MANAGER_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

// Headers that name the manager whose events are shown, and a function that shows them anew.
let manager = {};
let reload;

const managerForm = createForm({
  fields: MANAGER_FIELDS,
  button: "내 공연 보기",
  className: "inline",
  isRepeatable: true,
  submit(controls) {
    const { manager: entered, status } = readAll(controls);
    const name = entered.trim().replace(/^(Bearer\s+|TOKEN=)/i, "");
    // A header holds only ASCII characters.
    if (!/^[!-~]+$/.test(name)) {
      throw Object.assign(new Error("관리자 ID 또는 토큰을 입력해 주세요."), { code: "AM_001" });
    }
    manager = MANAGER_ID.test(name) ? { "x-api-managerId": name } : { Authorization: `Bearer ${name}` };
    const empty = status === "deleted" ? "복구할 수 있는 공연이 없습니다" : "등록한 공연이 없습니다";
    const path = `/api/v1/managers/me/events?limit=12&status=${status}`;
    reload = () => loadOwnEvents(path, { empty, headers: manager });
    return reload().catch(withMessage("AM_001", "관리자 ID 또는 토큰이 올바르지 않습니다."));
  },
}).form;
managerForm.addEventListener("change", ({ target }) => {
  if (target.matches("select") && reload) managerForm.requestSubmit();
});
byId("manager").append(managerForm);
const loadOwnEvents = createList(byId("manager"), createOwnCard);

function createOwnCard(event) {
  const facts = { "등록 일시": showTime(event.registeredAt) };
  if (event.status === "LIVE") {
    const actions = { 수정: edit, "포스터 교체": replacePoster, 삭제: remove };
    const bound = Object.entries(actions).map(([label, action]) => [label, card => action(event, card)]);
    return createCard(event, Object.fromEntries(bound), { 상태: "등록됨", ...facts });
  }
  const until = `삭제됨 (${showTime(event.restorableUntil)}까지 복구 가능)`;
  return createCard(event, { 복구: card => restore(event, card) }, { 상태: until, ...facts });
}

function pathOf(event) {
  return `/api/v1/events/${encodeURIComponent(event.id)}`;
}

// Returns the values of the fields of an event.
function valuesOf(event) {
  return { ...event, eventDatetimes: event.eventDatetimes.map(({ datetime }) => datetime) };
}

// Replaces the card of an event that was changed.
function showChanged(event, card, changed) {
  const replacement = createOwnCard({ ...event, ...changed });
  card.replaceWith(replacement);
  replacement.querySelector("button").focus();
}

// Shows the list anew after an event was deleted or restored, with the focus where its card was.
async function reloadAt(card) {
  const cards = byId("manager").querySelector(".cards");
  const index = [...cards.children].indexOf(card);
  await reload();
  const next = cards.children[Math.min(index, cards.childElementCount - 1)];
  (next?.querySelector("button") ?? byId("manager").querySelector("h1")).focus();
}

async function edit(event, card) {
  const isLate = beginTask();
  const current = await send("GET", pathOf(event));
  if (isLate()) return;
  let etag = current.headers.get("ETag");
  ask({
    title: "공연 수정",
    fields: EVENT_FIELDS,
    values: valuesOf(current.data),
    button: "저장",
    async submit(controls) {
      try {
        return await sendJson("PATCH", pathOf(event), readEdited(controls), { ...manager, "If-Match": etag });
      } catch (error) {
        if (error.status !== 412) throw error;
        const current = await send("GET", pathOf(event));
        etag = current.headers.get("ETag");
        showCurrent(controls, valuesOf(current.data));
        throw new Error("그사이 다른 사람이 이 공연을 수정했습니다. 현재 값을 확인한 뒤 다시 저장해 주세요.");
      }
    },
    done: ({ data }) => showChanged(event, card, data),
  });
}

// Shows the current values of an event at its fields, and keeps what was typed.
function showCurrent(controls, values) {
  for (const [name, control] of Object.entries(controls)) {
    const value = values[name];
    if (String(value) === String(control.value)) continue;
    const isEdited = control.isEdited();
    control.unedited(value, !isEdited);
    control.note.textContent = isEdited ? `현재 값: ${control.describe(value)}` : "다른 사람이 수정한 값입니다.";
  }
}

function replacePoster(event, card) {
  ask({
    title: "포스터 교체",
    text: `‘${event.title}’ 공연의 포스터를 교체합니다. JPEG, PNG, GIF, WebP 이미지를 4MiB까지 올릴 수 있습니다.`,
    fields: [{ name: "thumbnail", label: "새 포스터", type: "file", accept: "image/jpeg,image/png,image/gif,image/webp" }],
    button: "교체",
    submit(controls) {
      const body = new FormData();
      body.append("thumbnail", controls.thumbnail.read());
      return send("PUT", `${pathOf(event)}/thumbnail`, { headers: manager, body });
    },
    done: ({ data }) => showChanged(event, card, data),
  });
}

function remove(event, card) {
  ask({
    title: "공연 삭제",
    text: `‘${event.title}’ 공연을 삭제할까요? 목록에서 바로 사라지며, 30일 안에 복구할 수 있습니다.`,
    button: "삭제",
    danger: true,
    submit: () => send("DELETE", pathOf(event), { headers: manager }),
    done: () => reloadAt(card),
    message: "공연이 삭제되었습니다.",
  });
}

async function restore(event, card) {
  const { message } = await send("POST", `${pathOf(event)}/restore`, { headers: manager });
  await reloadAt(card);
  byId("status").textContent = message;
}
