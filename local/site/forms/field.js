// Fields of forms: a label, an input, a note and an error.

import { create, createButton, icon } from "../dom.js";
import { dayAndClock } from "../format.js";

let lastId = 0;
const createId = () => `field-${++lastId}`;

/**
 * Creates a field. `type` is one of `FIELDS`, that of an input, or the class of a field of one page.
 * @param {Omit<FieldOptions, "name">} options
 * @returns {any}
 */
export function createField({ type = "text", ...options }) {
  /** @type {any} */
  const Class = typeof type === "function" ? type : (FIELDS[type] ?? Field);
  return new Class({ type, ...options });
}

/** Field of one value, which is kept exactly as it came as long as nobody edits it. */
class Field {
  constructor({ label, note = "", ...options }) {
    const id = createId();
    this.input = this.createInput({ ...options, id, "aria-describedby": `${id}-note ${id}-error` });
    this.label = create("label", { htmlFor: id, id: `${id}-label` }, label);
    this.note = create("p", { id: `${id}-note`, className: "note" }, note);
    this.error = create("p", { id: `${id}-error`, className: "error" });
    this.element = create("div", { className: "field" }, [this.label, this.createFrame(), this.note, this.error]);
    this.setValue(this.input.value);
  }

  /**
   * Returns the input, or another element with its value.
   * @returns {any}
   */
  createInput(options) {
    return create("input", options);
  }

  /**
   * Returns the input, with what stands beside it.
   * @returns {HTMLElement}
   */
  createFrame() {
    return this.input;
  }

  /** Takes a value as the unedited one. With `keep`, what was typed stays in the input. */
  setValue(value, keep = false) {
    const typed = this.input.value;
    this.value = value;
    this.input.value = this.format(value);
    this.shown = this.input.value;
    if (keep) this.input.value = typed;
  }

  isEdited() {
    return this.input.value !== this.shown;
  }

  read() {
    return this.isEdited() ? this.parse(this.input.value) : this.value;
  }

  format(value) {
    return value;
  }
  parse(text) {
    return text;
  }

  /** Returns a value as text for people. */
  describe(value) {
    return String(value);
  }

  /** Adds a reason to the error, or removes the error if the reason is empty. */
  showError(reason) {
    this.error.textContent = reason && `${this.error.textContent} ${reason}`.trim();
    if (reason) this.input.setAttribute("aria-invalid", "true");
    else this.input.removeAttribute("aria-invalid");
  }
}

class SelectField extends Field {
  createInput({ choices, type, ...options }) {
    return create(
      "select",
      options,
      Object.entries(choices).map(([value, text]) => new Option(text, value)),
    );
  }
}

class TextareaField extends Field {
  createInput({ type, ...options }) {
    return create("textarea", { rows: 6, ...options });
  }
}

/** Password, which can be made visible. Its length is counted as sent, so it is sent in one normalization form. */
class PasswordField extends Field {
  createFrame() {
    const toggle = createButton(
      "보기",
      () => {
        const isVisible = this.input.type === "text";
        this.input.type = isVisible ? "password" : "text";
        toggle.textContent = isVisible ? "보기" : "숨기기";
      },
      { className: "plain", "aria-describedby": this.label.id },
    );
    return create("div", { className: "password" }, [this.input, toggle]);
  }

  parse(text) {
    return text.normalize("NFC");
  }
}

/** Text or whole number that may be missing: an empty input removes it. */
class OptionalField extends Field {
  createInput({ type, ...options }) {
    this.isNumber = type === "optional-number";
    return create("input", { type: "text", inputMode: this.isNumber ? "numeric" : "text", ...options });
  }

  parse(text) {
    if (text.trim() === "") return null;
    return this.isNumber && /^\d+$/.test(text.trim()) ? Number(text) : text;
  }

  describe(value) {
    return String(value ?? "") || "없음";
  }
}

/** Time in Korea, which has no summer time. */
class TimeField extends Field {
  createInput(options) {
    return create("input", { ...options, type: "datetime-local" });
  }

  format(iso) {
    return iso && new Date(Date.parse(iso) + 9 * 3_600_000).toISOString().replace(/(:00)?\.000Z$|Z$/, "");
  }

  parse(text) {
    return text && `${text}+09:00`;
  }
  describe(iso) {
    return dayAndClock(iso);
  }
}

/** Choice of yes or no. */
class CheckboxField extends Field {
  createInput(options) {
    return create("input", { ...options, type: "checkbox" });
  }

  createFrame() {
    this.label.className = "check";
    this.label.prepend(this.input);
    return this.label;
  }

  setValue(value) {
    this.input.checked = value === true;
  }

  read() {
    return this.input.checked;
  }
}

class FileField extends Field {
  read() {
    return this.input.files?.[0] ?? new Blob();
  }
}

/** List of times, to which a visitor adds and from which they remove. */
class TimesField {
  /** @type {{ field: TimeField, remover: HTMLButtonElement }[]} */
  times = [];

  constructor({ label, note = "" }) {
    const id = createId();
    this.label = label;
    this.rows = create("div");
    this.note = create("p", { id: `${id}-note`, className: "note" }, note);
    this.error = create("p", { id: `${id}-error`, className: "error" });
    this.adder = createButton("회차 추가", () => this.add("").input.focus(), { className: "quiet" });
    this.element = create("fieldset", { className: "field", "aria-describedby": `${id}-note ${id}-error` }, [
      create("legend", {}, label),
      this.rows,
      this.adder,
      this.note,
      this.error,
    ]);
    this.setValue([]);
  }

  /** @param {string[]} values */
  setValue(values, keep = false) {
    this.value = values;
    if (keep) return;
    this.times = [];
    this.rows.replaceChildren();
    values.forEach(value => this.add(value));
  }

  add(value) {
    const field = new TimeField({ label: "" });
    field.setValue(value);
    const remove = () => {
      this.times = this.times.filter(time => time.field !== field);
      row.remove();
      this.number();
      this.adder.focus();
    };
    const remover = createButton(icon("close"), remove, { className: "plain" });
    const row = create("div", { className: "field" }, [
      create("div", { className: "times" }, [field.input, remover]),
      field.error,
    ]);
    this.times.push({ field, remover });
    this.rows.append(row);
    this.number();
    return field;
  }

  number() {
    this.times.forEach(({ field, remover }, index) => {
      field.input.setAttribute("aria-label", `${this.label} ${index + 1}회`);
      remover.setAttribute("aria-label", `${this.label} ${index + 1}회 삭제`);
    });
  }

  /** @returns {string[]} */
  read() {
    return this.times.map(({ field }) => field.read());
  }
  isEdited() {
    return String(this.read()) !== String(this.value);
  }
  /** @param {string[]} values */
  describe(values) {
    return values.map(dayAndClock).join(", ");
  }

  /** Shows a reason at the time with an index, or else below all. */
  showError(reason, index) {
    if (!reason) this.times.forEach(({ field }) => field.showError(""));
    if (index && this.times[Number(index)]) this.times[Number(index)].field.showError(reason);
    else this.error.textContent = reason;
  }
}

const FIELDS = {
  select: SelectField,
  checkbox: CheckboxField,
  textarea: TextareaField,
  password: PasswordField,
  file: FileField,
  time: TimeField,
  times: TimesField,
  optional: OptionalField,
  "optional-number": OptionalField,
};
