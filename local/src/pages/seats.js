// Seats of a show: the free seats of each area, the plan of one area, and the choice of seats.

// Address of the view: `#seats/<event>/<show>`.
const SEATS_HASH = /^#seats\/([0-9a-f-]{36})\/([0-9a-f-]{36})$/;
const MAX_CHOSEN = 4;
const POLL_MILLISECONDS = 2_000;
// Pixels between neighbours, so that a finger can choose a seat.
const SEAT_GAP = 30;
const SEAT_STATES = { free: "선택 가능", chosen: "선택함", mine: "내 좌석", taken: "선택 불가" };
// Marks of the states with a size, because colours must not be the only sign: a check, a ring and a cross.
const SEAT_MARKS = {
  chosen: r => `m${-r} 0l${r * .7} ${r * .8}l${r * 1.3} ${-r * 1.6}`,
  mine: r => `m${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`,
  taken: r => `m${-r} ${-r}l${2 * r} ${2 * r}m${-2 * r} 0l${2 * r} ${-2 * r}`,
};
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// The shown show: its event, the last availability of its areas, its chosen seats by their ids, and its hold. `lost`
// has the ids of seats that a hold could not get, until the next availability shows them as taken.
let show;

// Returns a function that tells if the seat with an index is taken. Each seat is one bit, and the first seat is the
// highest bit of the first byte.
function decodeTaken(taken) {
  const bytes = Uint8Array.from(atob(taken), character => character.charCodeAt(0));
  return index => (bytes[index >> 3] >> (7 - index % 8) & 1) === 1;
}

function showWon(amount) {
  return `${amount.toLocaleString("ko-KR")}원`;
}

function describeSeat({ areaLabel, row, number, price }) {
  return `${areaLabel}구역 ${row}열 ${number}번 · ${showWon(price)}`;
}

// Shows the show of the address. If it was the last one, its chosen seats stay.
async function visitShow() {
  const [hash, eventId, showId] = SEATS_HASH.exec(location.hash);
  if (show?.hash !== hash) {
    const eventPath = `/api/v1/events/${eventId}`, path = `${eventPath}/dates/${showId}`;
    show = { hash, eventPath, path, showId, chosen: new Map(), lost: new Set() };
    byId("show-title").textContent = "좌석을 불러오는 중입니다.";
    byId("booking").hidden = true;
  }
  const current = show;
  byId("seats-error").textContent = byId("choice-error").textContent = "";
  try {
    await loadAvailability(current);
    if (!current.event) await loadHall(current);
  } catch (error) {
    if (current !== show) return;
    if (!current.event) byId("show-title").textContent = "";
    byId("seats-error").textContent = error.message;
  }
  if (current.event) await loadHold(current).catch(error => { byId("choice-error").textContent = error.message; });
}

async function loadHall(current) {
  const { data } = await send("GET", `${current.eventPath}/detail`);
  if (current !== show) return;
  current.event = data;
  const { datetime } = data.eventDatetimes.find(({ id }) => id === current.showId);
  byId("show-title").textContent = `${data.title} · ${showTime(datetime)}`;
  byId("areas").replaceChildren(...data.areas.map(createArea));
  openArea(0);
  showPanel();
  byId("booking").hidden = false;
}

// Reads which seats are taken. If nothing has changed, the response is 304.
async function loadAvailability(current) {
  try {
    const headers = current.etag && { "If-None-Match": current.etag };
    const response = await send("GET", `${current.path}/availability`, { headers });
    // Our own request may have changed it meanwhile.
    if (current.isBusy) return;
    current.areas = response.data.areas.map(area => ({ ...area, isTaken: decodeTaken(area.taken) }));
    current.etag = response.headers.get("ETag");
    current.lost.clear();
  } catch (error) {
    if (error.status !== 304) throw error;
  }
  if (current !== show || !current.event) return;
  dropTaken();
  showSeats();
}

// Drops the chosen seats that another member has got, unless an attempt of ours without a response may have got them.
function dropTaken() {
  if (show.attempt) return;
  const lost = [...show.chosen.values()].filter(({ area, index }) => show.areas[area].isTaken(index));
  if (lost.length === 0) return;
  for (const { id } of lost) show.chosen.delete(id);
  showPanel();
  byId("choice-error").textContent = ["선택할 수 없게 된 좌석을 제외했습니다.", ...lost.map(describeSeat)].join("\n");
}

function createArea({ label, price }, index) {
  const texts = [create("strong", { textContent: label }), ` ${showWon(price)} `, create("span")];
  const button = create("button", { type: "button", className: "quiet" }, ...texts);
  button.addEventListener("click", () => {
    openArea(index);
    byId("area").focus();
  });
  return create("li", {}, button);
}

function createSvg(tag, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

// Draws the seats of an area. Only they are in the page, so a hall can have any number of seats.
function openArea(index) {
  const { label, seats } = show.event.areas[index];
  show.area = index;
  const { gap, ...size } = measure(seats);
  show.radius = gap * .42;
  const plan = createSvg("svg", { ...size, role: "group", "aria-label": `${label}구역 좌석` });
  const attributes = { r: show.radius, role: "checkbox", tabindex: -1 };
  show.circles = seats.map(({ cx, cy }) => createSvg("circle", { cx, cy, ...attributes }));
  show.circles[0]?.setAttribute("tabindex", 0);
  show.marks = Object.keys(SEAT_MARKS).map(state => createSvg("path", { "data-state": state }));
  plan.append(...show.circles, ...show.marks);
  byId("area").textContent = `${label}구역`;
  byId("plan").replaceChildren(seats.length > 0 ? plan : "좌석이 없는 구역입니다.");
  show.described = undefined;
  showSeats();
}

// Returns the usual distance of neighbours, and the size of their plan.
function measure(seats) {
  const sorted = numbers => numbers.sort((one, other) => one - other);
  const gaps = seats.slice(1).map(({ cx, cy }, before) => Math.hypot(cx - seats[before].cx, cy - seats[before].cy));
  const gap = sorted(gaps)[gaps.length >> 1] || 20;
  const [xs, ys] = [sorted(seats.map(({ cx }) => cx)), sorted(seats.map(({ cy }) => cy))];
  const [width, height] = [xs.at(-1) - xs[0] + 2 * gap, ys.at(-1) - ys[0] + 2 * gap];
  const scale = Math.min(SEAT_GAP / gap, 10_000 / Math.max(width, height));
  const viewBox = [xs[0] - gap, ys[0] - gap, width, height].join(" ");
  return { gap, viewBox, width: width * scale, height: height * scale };
}

// Shows the number of free seats of each area, and the states of the seats of the open one.
function showSeats() {
  for (const [index, { firstChild: button }] of [...byId("areas").children].entries()) {
    const { seats, free } = show.areas[index];
    button.lastChild.textContent = free > 0 ? `${free}석 남음` : seats > 0 ? "매진" : "좌석 없음";
    button.ariaCurrent = index === show.area ? "true" : null;
  }
  const { seats, price } = show.event.areas[show.area];
  const marks = {};
  for (const [index, { cx, cy, row, number }] of seats.entries()) {
    const state = stateOf(index), circle = show.circles[index];
    marks[state] = `${marks[state] ?? ""}M${cx} ${cy}${SEAT_MARKS[state]?.(show.radius / 2)}`;
    if (circle.dataset.state === state) continue;
    circle.dataset.state = state;
    circle.ariaLabel = `${row}열 ${number}번, ${showWon(price)}, ${SEAT_STATES[state]}`;
    circle.ariaChecked = String(state === "chosen" || state === "mine");
    circle.ariaDisabled = String(state === "taken" || state === "mine");
  }
  for (const path of show.marks) path.setAttribute("d", marks[path.dataset.state] ?? "");
  describe(show.described);
}

function stateOf(index) {
  const { id } = show.event.areas[show.area].seats[index];
  if (show.hold && show.hold.status !== "EXPIRED" && show.hold.seats.some(seat => seat.id === id)) return "mine";
  if (show.chosen.has(id)) return "chosen";
  return show.areas[show.area].isTaken(index) || show.lost.has(id) ? "taken" : "free";
}

function toggleSeat(index) {
  if (show.isBusy) return;
  const { seats, label, price } = show.event.areas[show.area];
  const { id, row, number } = seats[index], state = stateOf(index);
  let notice = "";
  if (show.hold?.status === "HELD") notice = "선점을 해제한 뒤 다시 선택해 주세요.";
  else if (show.hold) notice = "‘다른 좌석 선택’을 먼저 눌러 주세요.";
  else if (state === "taken") notice = "선택할 수 없는 좌석입니다.";
  else if (state === "chosen") show.chosen.delete(id);
  else if (show.chosen.size === MAX_CHOSEN) notice = `좌석은 ${MAX_CHOSEN}석까지 선택할 수 있습니다.`;
  else show.chosen.set(id, { id, row, number, price, areaLabel: label, area: show.area, index });
  byId("choice-error").textContent = "";
  byId("status").textContent = notice;
  show.described = index;
  showSeats();
  showPanel();
}

// Describes a seat below the plan, to visitors who see the plan.
function describe(index) {
  show.described = index;
  byId("seat").textContent = show.circles[index]?.ariaLabel ?? "";
}

// Moves the focus to the nearest seat in a direction. The distance aside counts double, so that it stays in a row.
function moveFocus(from, [dx, dy]) {
  const { seats } = show.event.areas[show.area];
  let nearest, least = Infinity;
  for (const [index, { cx, cy }] of seats.entries()) {
    const [x, y] = [cx - seats[from].cx, cy - seats[from].cy];
    const ahead = x * dx + y * dy, aside = Math.abs(x * dy) + Math.abs(y * dx), distance = ahead + 2 * aside;
    if (ahead > 0 && aside <= ahead && distance < least) [nearest, least] = [index, distance];
  }
  show.circles[nearest]?.focus();
}

function addPlanListeners(plan) {
  const withSeat = action => event => {
    const index = show.circles.indexOf(event.target);
    if (index >= 0) action(index, event);
  };
  plan.addEventListener("click", withSeat(toggleSeat));
  plan.addEventListener("pointerover", withSeat(describe));
  // Only one seat can be reached with the tab key, and the arrow keys move from there.
  plan.addEventListener("focusin", withSeat((index, { target }) => {
    for (const circle of plan.querySelectorAll("[tabindex='0']")) circle.setAttribute("tabindex", -1);
    target.setAttribute("tabindex", 0);
    describe(index);
  }));
  plan.addEventListener("keydown", withSeat((index, event) => {
    const direction = DIRECTIONS[event.key];
    if (!direction && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    if (direction) moveFocus(index, direction);
    else toggleSeat(index);
  }));
}

// Reads the availability every two seconds, while somebody looks at the view.
async function pollAvailability() {
  const current = show;
  if (current?.event && !byId("seats").hidden && !document.hidden) {
    let problem = "";
    try {
      await loadAvailability(current);
      if (current.hold?.status === "HELD" && secondsLeft(current) === 0) {
        await loadHold(current);
        if (current.hold?.status === "EXPIRED") byId("status").textContent = "선점 시간이 끝났습니다.";
      }
    } catch (error) {
      problem = `좌석 현황을 새로 고치지 못했습니다. ${error.message}`;
    }
    // A screen reader reads each change.
    if (byId("seats-error").textContent !== problem) byId("seats-error").textContent = problem;
  }
  setTimeout(pollAvailability, POLL_MILLISECONDS);
}

addPlanListeners(byId("plan"));
pollAvailability();
