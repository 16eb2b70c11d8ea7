// Page `/verify-email#token=…`, to which the mail that verifies an address leads.

import "../elements/site-header.js";
import { byId, create } from "../dom.js";
import { createFailure, createNotice, createSkeletons } from "../elements/states.js";
import { send } from "../service/client.js";
import { takeToken } from "./mail.js";

const column = create("div", { className: "narrow" });
byId("main").append(column);

function showContent(content) {
  column.replaceChildren(create("h1", {}, "이메일 인증"), create("div", { role: "status" }, content));
}

const createLink = (href, text) => create("a", { href, className: "button" }, text);

async function verify(token) {
  if (!token) return showUnusable("메일의 링크를 다시 눌러 주세요", "이 화면은 메일의 링크로만 열 수 있어요.");
  showContent(createSkeletons(1, "line"));
  try {
    await send("POST", "/api/v1/auth/email-verification/confirmation", { fields: { token } });
    showContent(
      createNotice(
        "check",
        "이메일을 인증했어요",
        create("p", {}, "이제 모든 기능을 쓸 수 있어요."),
        createLink("/", "공연 보러 가기"),
      ),
    );
  } catch (error) {
    if (error.code === "AP_001") {
      showUnusable(
        "이 링크는 더 이상 쓸 수 없어요",
        "링크를 받은 지 24시간이 지났거나, 그사이 비밀번호가 바뀌었어요. 내 정보에서 메일을 다시 받을 수 있어요.",
      );
    } else showContent(createFailure(error, () => verify(token)));
  }
}

function showUnusable(title, reason) {
  showContent(createNotice("clock", title, create("p", {}, reason), createLink("/account", "내 정보로 가기")));
}

addEventListener("hashchange", () => {
  if (location.hash) verify(takeToken());
});
verify(takeToken());
