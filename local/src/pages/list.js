// Cards of events, and lists of them with pages.

const VISIBLE_SHOWS = 3;
const PAGE = 12;
// The venues are in Korea, so a visitor elsewhere sees Korean time, too.
const timeFormat = new Intl.DateTimeFormat("ko-KR", { dateStyle: "long", timeStyle: "short", timeZone: "Asia/Seoul" });

function showTime(iso) {
  return `${timeFormat.format(new Date(iso))} KST`;
}

function setTime(element, iso) {
  return Object.assign(element, { dateTime: iso, textContent: showTime(iso) });
}

// Creates the times of shows, with links to their seats.
function createDates(event, shows) {
  const items = shows.map(({ id, datetime }) => {
    const seats = create("a", { href: `#seats/${event.id}/${id}`, textContent: "좌석 선택" });
    seats.ariaLabel = `${event.title} ${showTime(datetime)} 좌석 선택`;
    return create("li", {}, setTime(create("time"), datetime), " ", event.status === "DELETED" ? "" : seats);
  });
  return create("ol", {}, ...items);
}

function hasEnded(event) {
  return event.eventDatetimes.every(({ datetime }) => Date.parse(datetime) < Date.now());
}

// Creates the card of an event. `actions` are labels of buttons with their functions.
function createCard(event, actions, facts = {}) {
  const card = byId("event").content.cloneNode(true).firstElementChild;
  const select = selector => card.querySelector(selector);
  select(".poster").src = "/upload/" + encodeURIComponent(event.thumbnail);
  select(".artist").textContent = event.artist;
  select("h2").textContent = event.title;
  select(".ended").hidden = !hasEnded(event);
  select(".description").textContent = event.description;
  select(".place").textContent = event.place;
  setTime(select(".ticketing"), event.ticketingOpenTime);
  select(".shows").append(createDates(event, event.eventDatetimes.slice(0, VISIBLE_SHOWS)));
  const rest = event.eventDatetimes.slice(VISIBLE_SHOWS);
  if (rest.length > 0) {
    const summary = create("summary", { textContent: `외 ${rest.length}회` });
    select(".shows").append(create("details", {}, summary, createDates(event, rest)));
  }
  for (const [term, text] of Object.entries(facts)) {
    select("dl").append(create("dt", { textContent: term }), create("dd", { textContent: text }));
  }
  for (const [label, action] of Object.entries(actions)) {
    const button = create("button", { type: "button", className: "quiet", textContent: label });
    button.ariaLabel = `${event.title} ${label}`;
    button.addEventListener("click", () => run(() => action(card)));
    select(".actions").append(button);
  }
  return card;
}

// Creates an empty list, and returns the function that loads its first page.
function createList(parent, cardOf) {
  const list = byId("list").content.cloneNode(true).firstElementChild;
  const select = selector => list.querySelector(selector);
  const [cards, more, notice] = [select(".cards"), select(".more"), select(".notice")];
  let latest = 0;
  let next, headers, ended, isAtEnded;

  // Appends a page of cards. After the last event of a list follow those of the path `ended` that have ended.
  async function append(path) {
    const request = ++latest;
    const added = [];
    for (next = path; next && added.length < PAGE;) {
      const page = await send("GET", next, { headers }).catch(error => ({ error }));
      // The response to an earlier request is ignored.
      if (request !== latest) return;
      if (page.error) throw page.error;
      const items = page.data.filter(event => !isAtEnded || hasEnded(event)).map(cardOf);
      cards.append(...items);
      added.push(...items);
      next = nextPath(page.headers);
      if (!next && !isAtEnded) [next, isAtEnded] = [ended, true];
    }
    more.hidden = !next;
    select(".count").textContent = `공연 ${cards.childElementCount}개${next ? " (더 있음)" : ""}`;
    return added;
  }

  more.addEventListener("click", async () => {
    select(".error").textContent = "";
    try {
      const items = await append(next);
      items?.[0]?.querySelector("button")?.focus({ preventScroll: true });
    } catch (error) {
      select(".error").textContent = error.message;
    }
  });
  parent.append(list);

  // `empty` and `hint` are the title and content of the notice in place of an empty list.
  return async (path, { empty, hint = "", ...options }) => {
    ({ headers, ended } = options);
    isAtEnded = false;
    cards.replaceChildren();
    more.hidden = notice.hidden = true;
    select(".error").textContent = select(".count").textContent = "";
    const items = await append(path);
    if (items?.length !== 0) return;
    notice.replaceChildren(create("h2", { textContent: empty }), hint);
    notice.hidden = false;
  };
}

// Returns the path of the next page from the header `Link: <path>; rel="next"`.
function nextPath(headers) {
  const link = /<([^>]+)>\s*;\s*rel="?next"?/.exec(headers.get("Link") ?? "");
  return link?.[1];
}
