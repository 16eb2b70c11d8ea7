// Entry of a manager: the id in an open deployment, which may be a new one, or a token.

import { create, createButton, focusFirst } from "../dom.js";
import { createForm, withMessage } from "../forms/form.js";
import { createManagerId, sendAsManager, writeManager } from "../service/manager.js";

const MANAGER = {
  name: "manager",
  label: "관리자 ID 또는 토큰",
  autocomplete: "off",
  spellcheck: false,
  note: "관리자 ID는 이 브라우저에 보관해요. 토큰은 탭을 닫으면 지워요.",
};

const WRONG = "관리자 ID 또는 토큰이 올바르지 않아요.";

/**
 * Creates the form. `done` is called when the service has accepted the manager.
 * @param {() => unknown} done
 * @param {string} [reason]
 */
export function createEntry(done, reason) {
  const {
    form,
    fields: { manager },
  } = createForm({
    fields: [MANAGER],
    button: "공연 관리 시작하기",
    async submit(fields) {
      // A token may be copied with what stands before it in a header or in the output of the service.
      const identity = fields.manager
        .read()
        .trim()
        .replace(/^(Bearer\s+|TOKEN=)/i, "");
      // A header holds only ASCII characters.
      if (!/^[!-~]+$/.test(identity)) {
        const reason = identity ? WRONG : "관리자 ID 또는 토큰을 입력해 주세요.";
        throw Object.assign(new Error(reason), { code: "AM_001" });
      }
      writeManager(identity);
      try {
        await sendAsManager("GET", "/api/v1/managers/me/events?limit=1").catch(withMessage("AM_001", WRONG));
      } catch (error) {
        writeManager(null);
        throw error;
      }
      done();
    },
  });
  const createId = () => {
    manager.input.value = createManagerId();
    manager.note.textContent = "새 관리자 ID예요. 이 브라우저에 보관해요. 다른 기기에서도 관리하려면 따로 적어 두세요.";
    focusFirst(form, "[type=submit]");
  };
  return create("div", { className: "panel entry stack" }, [
    create("p", { role: "status" }, reason ?? "공연을 등록하고, 회차를 바꾸고, 좌석을 팔고, 판매 현황을 볼 수 있어요."),
    create(
      "p",
      { className: "soft small" },
      "받은 관리자 ID나 토큰을 입력해 주세요. 처음이라면 새 ID를 만들 수 있어요.",
    ),
    form,
    createButton("새 관리자 ID 만들기", createId, { className: "quiet" }),
  ]);
}
