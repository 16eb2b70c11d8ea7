// Search of events by visitors, and their seat maps.

const SEARCH_FIELDS = [
  { name: "q", label: "제목, 출연자, 장소, 장르", type: "search", placeholder: "예: 윤하늬, ㅇㅎㄴ", autocomplete: "off" },
  { name: "ticketing", label: "예매", options: { "": "전체", upcoming: "예매 예정", open: "예매 중" } },
  { name: "from", label: "공연일 시작", type: "date" },
  { name: "to", label: "공연일 끝", type: "date" },
  { name: "sort", label: "정렬", options: { show: "공연 임박순", "": "최근 등록순", ticketing: "예매 시작순" } },
];

// Returns the start of a day in Korea, or of a later one.
function startOfDay(date, days = 0) {
  return new Date(Date.parse(`${date}T00:00+09:00`) + days * 86_400_000).toISOString();
}

function showHall(event) {
  const path = `/api/v1/events/${encodeURIComponent(event.id)}/seat-map.svg`;
  const seatMap = create("img", { alt: `${event.title} 좌석 배치도` });
  seatMap.addEventListener("error", () => { byId("seat-map").textContent = "좌석 배치도를 불러오지 못했습니다."; });
  seatMap.src = path;
  byId("hall-title").textContent = event.title;
  byId("hall-link").href = path;
  byId("seat-map").replaceChildren(seatMap);
  byId("hall").showModal();
}

const search = createForm({
  fields: SEARCH_FIELDS,
  button: "검색",
  className: "inline",
  isRepeatable: true,
  submit(controls) {
    const { sort, from, to, ...words } = readAll(controls);
    const path = filters => {
      const chosen = Object.entries({ limit: PAGE, ...words, ...filters }).filter(([, value]) => `${value ?? ""}`.trim());
      return `/api/v1/events?${new URLSearchParams(chosen)}`;
    };
    const end = to && startOfDay(to, 1);
    const isFiltered = from || to || Object.values(words).some(word => word.trim());
    const notice = isFiltered ? { empty: "조건에 맞는 공연이 없습니다" }
      : { empty: "아직 등록된 공연이 없습니다", hint: byId("sample").content.cloneNode(true) };
    // The order by show has no ended events, except those after a chosen day.
    const ended = sort === "show" && !from ? path({ to: end || new Date().toISOString() }) : undefined;
    return loadEvents(path({ from: from && startOfDay(from), to: end, sort }), { ended, ...notice });
  },
}).form;
search.role = "search";
search.addEventListener("change", ({ target }) => { if (target.matches("select")) search.requestSubmit(); });
byId("events").append(search);
const loadEvents = createList(byId("events"), event => createCard(event, { "좌석 배치도": () => showHall(event) }));

byId("hall-close").addEventListener("click", () => byId("hall").close());
byId("hall").addEventListener("click", event => { if (event.target === byId("hall")) byId("hall").close(); });
