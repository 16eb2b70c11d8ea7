// Page of an event: its poster and texts, its shows, its prices and its hall. Its address is `/events/<event>`.

import "../elements/site-header.js";
import { byId, create, icon, idsOfAddress } from "../dom.js";
import { createFailure, createNotice, createSkeletons } from "../elements/states.js";
import { createBadges } from "../events/event-card.js";
import { createPoster } from "../events/poster.js";
import { age, dayAndClock, duration, period } from "../format.js";
import { pathOfEvent, send } from "../service/client.js";
import { isForSale, saleOf, upcomingShows } from "../service/shows.js";
import { createPrices } from "./prices.js";
import { createShows } from "./shows.js";

const main = byId("main");
const { eventId } = idsOfAddress();

async function openPage() {
  main.replaceChildren(createSkeletons(1, "event"));
  try {
    const { data: event } = await send("GET", pathOfEvent(eventId));
    showEvent(event);
  } catch (error) {
    main.replaceChildren(error.status === 404 ? createUnknown() : createFailure(error, openPage));
  }
}

function createUnknown() {
  document.title = "공연을 찾을 수 없어요 · 봄날티켓";
  return createNotice(
    "search",
    "이 공연은 찾을 수 없어요",
    create("p", { className: "soft" }, "주소가 바뀌었거나 삭제된 공연이에요."),
    create("a", { href: "/", className: "button quiet" }, "공연 목록으로"),
  );
}

/** @param {EventSummary} event */
function showEvent(event) {
  document.title = `${event.title} · 봄날티켓`;
  const section = (title, ...content) =>
    create("section", { className: "stack" }, [create("h2", {}, title), ...content]);
  main.className = "event-page";
  main.replaceChildren(
    create("div", { className: "summary" }, [
      createPoster(event, { alt: `${event.title} 포스터` }),
      create("div", { className: "stack" }, [
        createBadges(event),
        create("h1", {}, event.title),
        create("p", { className: "artist" }, event.artist),
        createFacts(event),
        createBar(event),
      ]),
    ]),
    create("div", { className: "columns" }, [
      create("div", { className: "stack wide" }, [
        section("공연 소개", create("p", { className: "description" }, event.description)),
        section("좌석 배치", createHall(event)),
      ]),
      create("div", { className: "stack" }, [
        Object.assign(section("공연 일정", createShows(event)), { id: "shows" }),
        section("가격", createPrices(event.id)),
      ]),
    ]),
  );
  // The bar covers no show that somebody chooses: it goes while they have the upper half of the screen.
  const hideBar = entries => main.classList.toggle("choosing", entries.at(-1).isIntersecting);
  new IntersectionObserver(hideBar, { rootMargin: "0px 0px -50%" }).observe(byId("shows"));
}

/** @param {EventSummary} event */
function createFacts(event) {
  const address = event.address && create("span", { className: "soft small address" }, event.address);
  const facts = {
    기간: [period(event.eventDatetimes.map(({ datetime }) => datetime))],
    장소: [event.place, address],
    장르: [event.genre],
    관람: [event.ageRating === undefined ? undefined : age(event.ageRating)],
    "공연 시간": [event.runningMinutes && duration(event.runningMinutes)],
    "예매 시작": [dayAndClock(event.ticketingOpenTime)],
    "예매 마감": [event.ticketingCloseMinutes && `공연 시작 ${duration(event.ticketingCloseMinutes)} 전`],
    "예매 한도": [event.maxSeats && `한 회차에 ${event.maxSeats}석`],
  };
  return create(
    "dl",
    { className: "facts" },
    Object.entries(facts)
      .filter(([, [text]]) => text)
      .flatMap(([term, content]) => [create("dt", {}, term), create("dd", {}, content)]),
  );
}

/** @param {EventSummary} event */
function createHall(event) {
  const path = `${pathOfEvent(event.id)}/seat-map.svg`;
  const picture = create("img", { src: path, loading: "lazy", alt: `${event.title} 좌석 배치도` });
  const figure = create("figure", { className: "seat-map" }, [
    picture,
    create("figcaption", {}, create("a", { href: path, target: "_blank", rel: "noopener" }, "크게 보기 (새 창)")),
  ]);
  picture.addEventListener("error", () =>
    figure.replaceChildren(create("p", { className: "error" }, "좌석 배치도를 불러오지 못했어요.")),
  );
  return figure;
}

/**
 * Creates the main button: it leads to the only show, or to the list of shows. On a phone it stays at the bottom.
 * @param {EventSummary} event
 */
function createBar(event) {
  const shows = upcomingShows(event);
  if (!isForSale(event)) return "";
  const [label, href] =
    shows.length === 1
      ? [saleOf(event) === "open" ? "예매하기" : "좌석 보기", `/events/${event.id}/shows/${shows[0].id}`]
      : ["날짜 고르기", "#shows"];
  return create("div", { className: "bar" }, create("a", { className: "button", href }, [icon("ticket"), label]));
}

openPage();
