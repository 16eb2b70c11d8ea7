// Mails to the buyers of a show: what was sent, how far the sending is, and a new message.

import { create, createButton } from "../dom.js";
import { notify } from "../elements/toast.js";
import { openFormDialog } from "../forms/form-dialog.js";
import { withMessage } from "../forms/form.js";
import { dayAndClock } from "../format.js";
import { createSender } from "../service/manager.js";
import { createMailPreview } from "./mail-preview.js";

const count = number => `${number.toLocaleString("ko-KR")}명`;
const STATUS = { SENDING: "보내는 중", DONE: "보냄", REPLACED: "새 알림으로 바뀜" };
const KIND = { CHANGE: "변경 알림", MESSAGE: "안내 메일" };

/** @param {ShowDesk} desk */
export function createNotices(desk) {
  const list = create("ul", { className: "notices" });
  const alert = create("p", { className: "error", role: "alert" });
  let isSending = true;
  let loaded = "";

  async function load() {
    /** @type {{ data: Schemas["Notice"][] }} */
    const { data } = await desk.send("GET", "/notices");
    isSending = data.some(({ status }) => status === "SENDING");
    alert.textContent = "";
    if (JSON.stringify(data) === loaded) return;
    loaded = JSON.stringify(data);
    list.replaceChildren(...data.map(createNotice));
  }
  const showFailure = error => {
    alert.textContent = error.message;
  };

  desk.addEventListener("poll", () => isSending && load().catch(showFailure));
  load().catch(showFailure);
  const write = () => openMessage(desk, () => load().catch(showFailure));
  return create("section", { className: "stack" }, [
    create("div", { className: "row" }, [
      create("h2", {}, "예매자 메일"),
      createButton("메일 보내기", write, { className: "quiet" }),
    ]),
    alert,
    list,
  ]);
}

/** @param {Schemas["Notice"]} notice */
function createNotice({ kind, text, createdAt, status, buyers, sent, failed }) {
  const numbers = [
    `${count(buyers)} 중 ${count(sent)}에게 보냈어요.`,
    failed > 0 && `${count(failed)}에게는 보내지 못했어요.`,
  ];
  return create("li", {}, [
    create("strong", {}, KIND[kind]),
    create("span", { className: "badge", dataset: { notice: status.toLowerCase() } }, STATUS[status]),
    create("span", { className: "soft small" }, dayAndClock(createdAt)),
    create("p", { className: "small" }, numbers.filter(Boolean).join(" ")),
    text !== undefined && create("p", { className: "text" }, text),
  ]);
}

/** @param {ShowDesk} desk */
function openMessage({ event, show, path }, done) {
  const send = createSender(`${path}/notices`);
  openFormDialog({
    title: "메일 보내기",
    text: [
      `${dayAndClock(show.datetime)} 회차를 예매한 모든 회원에게 보내요. 보낸 메일은 되돌릴 수 없어요.`,
      createMailPreview(event, show),
    ],
    fields: [
      {
        name: "text",
        label: "내용",
        type: "textarea",
        rows: 8,
        note: "2,000자까지 쓸 수 있어요.",
      },
    ],
    button: "보내기",
    submit: ({ text }) =>
      send({ text: text.read() }).catch(
        withMessage("N_001", "한 회차에는 하루에 열 번까지 보낼 수 있어요. 나중에 다시 보내 주세요."),
      ),
    done() {
      notify("메일을 보내기 시작했어요.");
      done();
    },
  });
}
