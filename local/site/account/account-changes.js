// Changes of a member. A new nickname needs the session; every other change asks for the password, which is not kept.

import { create } from "../dom.js";
import { notify } from "../elements/toast.js";
import { openFormDialog } from "../forms/form-dialog.js";
import { readAll, readEdited, withMessage } from "../forms/form.js";
import { send } from "../service/client.js";
import { isOver, readOwnHolds } from "../service/holds.js";
import { authorized, logOut, pathOfMember } from "../service/session.js";
import { CURRENT_PASSWORD, NAME, NEW_PASSWORD, NICKNAME } from "./member-fields.js";

const ABOUT_TICKETS =
  "탈퇴해도 예매는 취소되지 않아요. 다만 이 사이트에서 다시 볼 수 없고, 같은 이메일로 다시 가입해도 마찬가지예요.";

// A member who is logged in enters no e-mail address.
const asWrongPassword = withMessage("AL_001", "현재 비밀번호가 올바르지 않아요.");

function patchMember(fields) {
  return send("PATCH", pathOfMember(), { fields: { password: "", ...fields } }).catch(asWrongPassword);
}

/** @param {Member} member */
export function changeNickname(member, done, explainEnd) {
  openFormDialog({
    title: "닉네임 변경",
    fields: [NICKNAME],
    values: member,
    button: "변경하기",
    submit: fields =>
      send("PATCH", `${pathOfMember()}/nickname`, { fields: readAll(fields), request: authorized }).catch(explainEnd),
    done({ data }) {
      done(data);
      notify("닉네임을 바꿨어요.");
    },
  });
}

/** @param {Member} member */
export function changeName(member, done) {
  openFormDialog({
    title: "이름 변경",
    fields: [NAME, CURRENT_PASSWORD],
    values: member,
    button: "변경하기",
    submit: fields => patchMember(readEdited(fields)),
    done({ data }) {
      done(data);
      notify("이름을 바꿨어요.");
    },
  });
}

/** Changes the password, which ends all sessions of the member. */
export function changePassword(done) {
  openFormDialog({
    title: "비밀번호 변경",
    text: "바꾸면 모든 기기에서 로그아웃되고, 새 비밀번호로 다시 로그인해야 해요.",
    fields: [CURRENT_PASSWORD, NEW_PASSWORD],
    button: "변경하기",
    async submit(fields) {
      await patchMember(readAll(fields));
      await logOut();
    },
    done,
  });
}

/** Says what becomes of the member's seats before it asks for the password. */
export async function withdraw(done) {
  const seats = await readOwnHolds().then(describeSeats, () => [ABOUT_TICKETS]);
  if (document.querySelector("dialog[open]")) return;
  openFormDialog({
    title: "회원 탈퇴",
    text: [
      "탈퇴하면 회원 정보가 바로 삭제되고, 되돌릴 수 없어요.",
      ...seats,
      "계속하려면 현재 비밀번호를 입력해 주세요.",
    ],
    fields: [CURRENT_PASSWORD],
    button: "탈퇴하기",
    danger: true,
    async submit(fields) {
      await send("POST", `${pathOfMember()}/withdrawal`, { fields: readAll(fields) }).catch(asWrongPassword);
      await logOut();
    },
    done,
  });
}

/**
 * Returns paragraphs about seats of shows to come, and about those that wait for the payment.
 * @param {OwnHold[]} holds
 */
function describeSeats(holds) {
  const count = holds => holds.reduce((sum, { seats }) => sum + seats.length, 0);
  const tickets = holds.filter(hold => hold.status === "CONFIRMED" && !isOver(hold));
  const held = holds.filter(({ status }) => status === "HELD");
  return [
    ...(tickets.length === 0
      ? []
      : [
          create("strong", {}, `다가오는 공연 예매가 ${tickets.length}건(${count(tickets)}석) 있어요.`),
          `${ABOUT_TICKETS} 취소와 환불은 결제한 주문 서비스에 주문 번호로 문의해 주세요.`,
          create("a", { href: "/tickets" }, "내 예매에서 주문 번호 보기"),
        ]),
    ...(held.length === 0 ? [] : [`결제하지 않은 ${count(held)}석은 잡아 둔 시간이 지나면 풀려요.`]),
  ];
}
