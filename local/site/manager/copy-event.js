// Copy of an event: the same hall and poster at other times, and with other prices.

import { create } from "../dom.js";
import { openFormDialog } from "../forms/form-dialog.js";
import { readAll } from "../forms/form.js";
import { pathOfEvent } from "../service/client.js";
import { createSender } from "../service/manager.js";
import { ADDRESS, EVENT_OPEN_TIME, KOREAN_TIME, PLACE, SHOWS, TICKETING_OPEN_TIME, TITLE } from "./event-fields.js";

/** Field with a price for each area; its value has those that are edited, by the labels of their areas. */
class PricesField {
  constructor({ label, areas }) {
    this.inputs = new Map(areas.map(area => [area.label, this.createInput(area)]));
    const rows = [...this.inputs].map(([name, input]) =>
      create("label", { className: "price" }, [create("span", {}, name), input]),
    );
    this.error = create("p", { className: "error" });
    this.element = create("fieldset", { className: "field" }, [
      create("legend", {}, label),
      create("div", { className: "price-rows" }, rows),
      this.error,
    ]);
  }

  createInput({ price }) {
    return create("input", { inputMode: "decimal", autocomplete: "off", value: price, defaultValue: price });
  }

  /** Returns prices as numbers; the service says what is wrong with other texts. */
  read() {
    const edited = [...this.inputs].filter(([, input]) => input.value !== input.defaultValue);
    const parse = text => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : text);
    return Object.fromEntries(edited.map(([name, { value }]) => [name, parse(value.replaceAll(",", "").trim())]));
  }

  showError(reason, index, path = "") {
    if (!reason) for (const input of this.inputs.values()) input.removeAttribute("aria-invalid");
    const name = path.replace(/^prices\.?/, "");
    this.inputs.get(name)?.setAttribute("aria-invalid", "true");
    this.error.textContent = reason && `${this.error.textContent}\n${name && `${name}: `}${reason}`.trim();
  }
}

/** @param {Schemas["ManagedEventDetail"]} event */
export function copyEvent(event) {
  const post = createSender(`${pathOfEvent(event.id)}/copies`);
  openFormDialog({
    title: "공연 복사",
    text: "좌석 배치와 포스터가 같은 공연을 새로 등록해요. 판매 내역은 복사하지 않아요.",
    fields: [
      TITLE,
      PLACE,
      ADDRESS,
      { ...SHOWS, note: KOREAN_TIME },
      TICKETING_OPEN_TIME,
      EVENT_OPEN_TIME,
      { name: "published", label: "공개 여부", type: "select", choices: { false: "비공개로 등록", true: "바로 공개" } },
      { name: "prices", label: "가격(원)", type: PricesField, areas: event.areas },
    ],
    values: {
      title: event.title,
      place: event.place,
      address: event.address ?? "",
      eventDatetimes: [""],
      eventOpenTime: event.eventOpenTime,
      ticketingOpenTime: event.ticketingOpenTime,
      published: "false",
    },
    button: "복사하기",
    submit(form) {
      const { published, ...fields } = readAll(form);
      return post({ ...fields, published: published === "true" });
    },
    done: ({ data }) => location.assign(`/manager/events/${data.id}#copied`),
  });
}
