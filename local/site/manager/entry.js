// Entry of a manager: the id in an open deployment, or a token.

import { create } from "../dom.js";
import { createForm, withMessage } from "../forms/form.js";
import { send } from "../service/client.js";
import { readManager, writeManager } from "../service/manager.js";

const MANAGER = {
  name: "manager", label: "관리자 ID 또는 토큰", autocomplete: "off", spellcheck: false,
  note: "탭을 닫을 때까지 이 브라우저에만 보관해요.",
};

/** Creates the form. `done` is called when the service has accepted the manager. */
export function createEntry(done, reason) {
  const { form } = createForm({
    fields: [MANAGER],
    button: "공연 관리 시작하기",
    async submit(fields) {
      // A token may be copied with what stands before it in a header or in the output of the service.
      const identity = fields.manager.read().trim().replace(/^(Bearer\s+|TOKEN=)/i, "");
      // A header holds only ASCII characters.
      if (!/^[!-~]+$/.test(identity)) {
        throw Object.assign(new Error("관리자 ID 또는 토큰을 입력해 주세요."), { code: "AM_001" });
      }
      writeManager(identity);
      try {
        await send("GET", "/api/v1/managers/me/events?limit=1", { headers: readManager() })
          .catch(withMessage("AM_001", "관리자 ID 또는 토큰이 올바르지 않아요."));
      } catch (error) {
        writeManager(null);
        throw error;
      }
      done();
    },
  });
  return create("div", { className: "panel entry stack" },
    create("p", { role: "status" }, reason ?? "내가 등록한 공연을 고치고, 포스터를 바꾸고, 삭제하거나 복구할 수 있어요."),
    create("ul", { className: "soft small bullets" },
      create("li", {}, "관리자를 확인하지 않는 서비스에서는 공연을 등록할 때 쓴 관리자 ID(UUID)를 입력해 주세요."),
      create("li", {}, create("code", {}, "--issuer"), "로 실행한 서비스에서는 발급받은 토큰을 입력해 주세요.")),
    form);
}
