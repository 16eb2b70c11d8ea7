// Hold of seats by a member, and a box that plays the order service, which confirms and cancels.

// An open deployment accepts every manager as an order service.
const ANY_MANAGER = { "x-api-managerId": "2c9d4e6b-8f10-4a37-b5c2-7e1d0f9a8b63" };

// Returns a random text. `crypto.randomUUID` exists only on HTTPS and localhost.
function createKey() {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), number => number.toString(36)).join("");
}

// Shows the hold of the show, or else the chosen seats.
function showPanel() {
  const panel = byId("choice"), hadFocus = panel.contains(document.activeElement);
  panel.replaceChildren(...show.hold ? createHold(show.hold) : createChoice([...show.chosen.values()]));
  if (hadFocus) panel.querySelector("h2").focus();
  showTimeLeft();
}

function createPanel(title, seats, amount, ...actions) {
  const items = seats.map(seat => create("li", { textContent: describeSeat(seat) }));
  const total = create("p", {}, "합계 ", create("strong", { textContent: showWon(amount) }));
  return [create("h2", { tabIndex: -1, textContent: title }), create("ol", {}, ...items), total, ...actions];
}

function createNote(text) {
  return create("p", { className: "note", textContent: text });
}

function createAction(label, action, className = "") {
  const button = create("button", { type: "button", textContent: label, className });
  button.addEventListener("click", () => act(action));
  return button;
}

function createChoice(seats) {
  if (seats.length === 0) {
    const title = create("h2", { tabIndex: -1, textContent: "선택한 좌석" });
    return [title, createNote(`배치도에서 좌석을 선택해 주세요. ${MAX_CHOSEN}석까지 선택할 수 있습니다.`)];
  }
  const amount = seats.reduce((sum, { price }) => sum + price, 0);
  return createPanel("선택한 좌석", seats, amount, createAction("좌석 선점", hold));
}

function createHold({ status, seats, amount, orderId }) {
  const another = createAction("다른 좌석 선택", forgetHold, "quiet");
  const confirmation = createAction("결제 완료로 확정", confirmOrder);
  const [title, fact, action, order] = {
    HELD: ["선점한 좌석", create("p", { id: "time-left", role: "timer" }),
      createAction("선점 해제", releaseHold, "quiet"), confirmation],
    EXPIRED: ["선점 시간이 끝났습니다", createNote("이미 결제했다면, 좌석이 남아 있는 동안에는 확정할 수 있습니다."), another,
      confirmation],
    CONFIRMED: ["예매한 좌석", createNote(`주문 번호: ${orderId}`), another,
      createAction("주문 취소", cancelOrder, "danger")],
  }[status];
  const box = create("section", { className: "order" }, create("h3", { textContent: "주문 서비스 (데모)" }),
    createNote("실제로는 주문 서비스가 결제를 마친 뒤 보내는 요청입니다. 여기서는 버튼으로 대신하며, 결제는 하지 않습니다."), order);
  return createPanel(title, seats, amount, fact, action, box);
}

// Returns the time until the hold expires, whatever time the visitor's computer has.
function secondsLeft({ hold, clockSkew }) {
  return Math.max(0, Math.ceil((Date.parse(hold.expiresAt) - Date.now() - clockSkew) / 1000));
}

function showTimeLeft() {
  const timer = byId("time-left");
  if (!timer) return;
  const seconds = secondsLeft(show);
  timer.textContent = `남은 시간 ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

// Runs the action of a button, one at a time. Without a session, asks the member to log in, and then runs it.
async function act(action) {
  const current = show;
  if (current.isBusy) return;
  current.isBusy = true;
  byId("status").textContent = byId("choice-error").textContent = "";
  try {
    byId("status").textContent = (await action(current))?.message ?? "";
  } catch (error) {
    if (error.code?.startsWith("AS_")) askToLogIn(action);
    else byId("choice-error").textContent = error.message;
    if (error.code === "H_004" || error.code === "H_005") await loadHold(current).catch(() => {});
  }
  current.isBusy = false;
  await loadAvailability(current).catch(() => {});
}

function askToLogIn(action) {
  ask({
    title: "로그인",
    text: "로그인하면 하던 작업을 이어서 진행합니다. 회원이 아니라면 ‘내 계정’에서 먼저 가입해 주세요.",
    fields: [EMAIL, PASSWORD],
    button: "로그인",
    submit: controls => logIn(readAll(controls)),
    done: () => { act(action); },
  });
}

function holdPath({ path, hold }) {
  return `${path}/holds/${hold.id}`;
}

// Shows a hold, and remembers it until the tab is closed.
function setHold(current, { data, headers }) {
  if (data.status === "RELEASED") return forgetHold(current);
  sessionStorage.setItem(`hold-${current.showId}`, data.id);
  current.clockSkew = Date.parse(headers.get("Date")) - Date.now() || 0;
  showHold(current, data);
}

function forgetHold(current) {
  sessionStorage.removeItem(`hold-${current.showId}`);
  showHold(current, undefined);
}

function showHold(current, hold) {
  current.hold = hold;
  if (current !== show) return;
  showSeats();
  showPanel();
}

// Reads the hold that was remembered. A member who has logged out sees none.
async function loadHold(current) {
  const id = sessionStorage.getItem(`hold-${current.showId}`);
  if (!id) return;
  try {
    setHold(current, await send("GET", `${current.path}/holds/${encodeURIComponent(id)}`, { request: authorized }));
  } catch (error) {
    if (error.status === 404) forgetHold(current);
    else if (error.status === 401) showHold(current, undefined);
    else throw error;
  }
}

// Holds the chosen seats. After a lost response, the next attempt for the same seats has the same key, so that it
// returns the hold that was made.
async function hold(current) {
  const body = JSON.stringify({ seatIds: [...current.chosen.keys()] });
  if (current.attempt?.body !== body) current.attempt = { body, key: createKey() };
  const headers = { "Content-Type": "application/json", "Idempotency-Key": current.attempt.key };
  try {
    const result = await send("POST", `${current.path}/holds`, { headers, body, request: authorized });
    current.attempt = undefined;
    current.chosen.clear();
    setHold(current, result);
    return result;
  } catch (error) {
    if (error.status < 500) current.attempt = undefined;
    if (error.code === "H_001") throw dropLost(current, error);
    throw error;
  }
}

// Marks the seats of an error as taken, and returns an error that names them.
function dropLost(current, { message, errors }) {
  const lost = errors.map(({ value }) => current.chosen.get(value));
  for (const { id } of lost) {
    current.chosen.delete(id);
    current.lost.add(id);
  }
  if (current === show) {
    showSeats();
    showPanel();
  }
  return new Error([message, ...lost.map(describeSeat)].join("\n"));
}

async function releaseHold(current) {
  await send("DELETE", holdPath(current), { request: authorized });
  forgetHold(current);
  return { message: "선점을 해제했습니다." };
}

// Plays the order service. Its order stays the same in every attempt, so that none is confirmed twice.
async function confirmOrder(current) {
  const { id, amount } = current.hold, key = `order-${id}`;
  const orderId = sessionStorage.getItem(key) ?? `order-${createKey()}`;
  sessionStorage.setItem(key, orderId);
  return orderRequest(current, "confirmation", { orderId, amount });
}

function cancelOrder(current) {
  return orderRequest(current, "cancellation", { orderId: current.hold.orderId });
}

async function orderRequest(current, action, fields) {
  const authorization = Object.keys(manager).length > 0 ? manager : ANY_MANAGER;
  const result = await sendJson("POST", `${holdPath(current)}/${action}`, fields, authorization);
  setHold(current, result);
  return result;
}

setInterval(showTimeLeft, 1_000);
