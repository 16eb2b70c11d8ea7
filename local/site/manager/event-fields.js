// Fields of an event, as the forms of managers have them.

export const TITLE = { name: "title", label: "제목" };
export const ARTIST = { name: "artist", label: "출연자" };
export const PLACE = { name: "place", label: "장소" };
export const ADDRESS = { name: "address", label: "주소 (선택)", type: "optional" };
export const GENRE = { name: "genre", label: "장르 (선택)", type: "optional" };
export const AGE_RATING = {
  name: "ageRating",
  label: "관람 연령 (선택)",
  type: "optional-number",
  note: "0은 전체 관람가예요.",
};
export const RUNNING_MINUTES = { name: "runningMinutes", label: "공연 시간(분) (선택)", type: "optional-number" };
export const TICKETING_CLOSE_MINUTES = {
  name: "ticketingCloseMinutes",
  label: "예매 마감: 공연 시작 전 시간(분) (선택)",
  type: "optional-number",
  note: "비워 두면 공연이 시작할 때 마감해요. 현장 판매는 공연 시작까지 할 수 있어요.",
};
export const MAX_SEATS = {
  name: "maxSeats",
  label: "한 사람이 예매할 수 있는 좌석 수 (선택)",
  type: "optional-number",
  note: "회차마다 1석에서 10석까지 정할 수 있어요. 비워 두면 서비스의 한도를 따르고, 이미 예매한 좌석은 그대로예요.",
};
export const DESCRIPTION = { name: "description", label: "설명", type: "textarea" };
export const POSTER = {
  name: "thumbnail",
  label: "포스터",
  type: "file",
  accept: "image/jpeg,image/png,image/gif,image/webp",
  note: "JPEG, PNG, GIF, WebP 이미지를 4MiB까지 올릴 수 있어요.",
};
export const EVENT_OPEN_TIME = { name: "eventOpenTime", label: "공연 공개", type: "time" };
export const TICKETING_OPEN_TIME = { name: "ticketingOpenTime", label: "예매 시작", type: "time" };
export const SHOWS = { name: "eventDatetimes", label: "공연 일시", type: "times" };
export const KOREAN_TIME = "한국 시간이에요.";
