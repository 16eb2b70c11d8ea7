// Texts of prices, times and durations. Venues are in Korea, so a visitor elsewhere sees Korean time, too.

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;
const formatIn = options => new Intl.DateTimeFormat("ko-KR", { timeZone: "Asia/Seoul", ...options });
const yearOf = formatIn({ year: "numeric" });
const dayOf = formatIn({ month: "long", day: "numeric" });
const weekdayOf = formatIn({ weekday: "short" });
const clockOf = formatIn({ hour: "numeric", minute: "2-digit" });
const isoDayOf = new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Seoul" });

/** `132,000원` */
export const won = amount => `${amount.toLocaleString("ko-KR")}원`;

/** `11월 28일(토)`, with the year unless it is this one */
export function day(time) {
  const date = new Date(time);
  const year = yearOf.format(date);
  return `${year === yearOf.format(new Date()) ? "" : `${year} `}${dayOf.format(date)}(${weekdayOf.format(date)})`;
}

/** `오후 7:30` */
export const clock = time => clockOf.format(new Date(time));

/** `11월 28일(토) 오후 7:30` */
export const dayAndClock = time => `${day(time)} ${clock(time)}`;

/** Day in Korea as `2026-11-28`, to group times. */
export const isoDay = time => isoDayOf.format(new Date(time));

/** `11월 28일(토) ~ 12월 25일(금)`, or one day; the year of the second only if it differs */
export function period(times) {
  const sorted = times.map(time => Date.parse(time)).sort((one, other) => one - other);
  const [first, last] = [day(sorted[0]), day(sorted.at(-1))];
  const year = yearOf.format(sorted[0]) === yearOf.format(sorted.at(-1)) ? `${yearOf.format(sorted[0])} ` : "";
  return first === last ? first : `${first} ~ ${last.replace(year, "")}`;
}

/** Start of a day in Korea, or of a later one, as the service takes it. */
export const startOfDay = (date, days = 0) => new Date(Date.parse(`${date}T00:00+09:00`) + days * DAY).toISOString();

/** `2시간 30분` */
export function duration(minutes) {
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  return [hours && `${hours}시간`, rest && `${rest}분`].filter(Boolean).join(" ");
}

export const age = years => (years === 0 ? "전체 관람가" : `${years}세 이상`);

/** `9:05`, of seconds */
export const countdown = seconds => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

/** `1층 VIP구역`, or `2층` */
export const areaName = label => (/[층석]$/.test(label) ? label : `${label}구역`);

/** @type {Record<SeatKind, string>} */
export const KIND_NAMES = { WHEELCHAIR: "휠체어석", COMPANION: "동반석", RESTRICTED_VIEW: "시야제한석" };

/** `12번`, or `12번 휠체어석` */
const numberName = (/** @type {{ number: number | string, kind?: SeatKind }} */ { number, kind }) =>
  `${number}번${kind ? ` ${KIND_NAMES[kind]}` : ""}`;

/** `3열 12번`, or `3열 12번 휠체어석` */
export const placeName = (/** @type {{ row: number, number: number | string, kind?: SeatKind }} */ seat) =>
  `${seat.row}열 ${numberName(seat)}`;

/**
 * Returns the rows of seats: names such as `1층 VIP구역 3열 12번, 13번`, the price of one seat, and their number.
 * @param {HeldSeat[]} seats
 */
export function rowsOf(seats) {
  const rows = Map.groupBy(seats, ({ areaLabel, row }) => `${areaName(areaLabel)} ${row}열`);
  return [...rows].map(([name, seats]) => ({
    name: `${name} ${seats.map(numberName).join(", ")}`,
    price: seats[0].price,
    count: seats.length,
  }));
}

/** `1층 VIP구역 3열 12번` */
export const seatName = seat => `${areaName(seat.areaLabel)} ${placeName(seat)}`;

/** `회원 6f1d…`, or the box office */
export const buyerName = (/** @type {Sale} */ { memberId }) => (memberId ? `회원 ${memberId}` : "현장 판매");
