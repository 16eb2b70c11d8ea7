// Controls of forms: a label, an input, a note and an error.

const byId = id => document.getElementById(id);

function create(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

let lastId = 0;

// Control of one value, which is kept exactly as it came as long as nobody edits it.
class Control {
  constructor({ label, type, options, ...attributes }) {
    const id = `control-${++lastId}`;
    const choices = options && Object.entries(options).map(([value, text]) => new Option(text, value));
    this.input = choices ? create("select", {}, ...choices)
      : type === "textarea" ? create("textarea", { rows: 6 }) : create("input", { type });
    Object.assign(this.input, { id, ...attributes });
    this.input.setAttribute("aria-describedby", `${id}-note ${id}-error`);
    this.note = create("p", { id: `${id}-note`, className: "note" });
    this.error = create("p", { id: `${id}-error`, className: "error" });
    const name = create("label", { htmlFor: id, textContent: label });
    this.element = create("div", {}, name, this.input, this.note, this.error);
    this.unedited(choices ? choices[0].value : "");
  }
  // Takes a value as the unedited one; `show` also shows it.
  unedited(value, show = true) {
    this.value = value;
    const before = this.input.value;
    this.input.value = this.format(value);
    this.shown = this.input.value;
    if (!show) this.input.value = before;
  }
  read() {
    return this.input.value === this.shown ? this.value : this.parse(this.input.value);
  }
  isEdited() {
    return this.input.value !== this.shown;
  }
  format(value) { return value; }
  parse(text) { return text; }
  describe(value) { return value; }
  // Adds a reason to the error, or removes the error if the reason is empty.
  showError(reason) {
    this.error.textContent = reason && `${this.error.textContent} ${reason}`.trim();
    if (reason) this.input.setAttribute("aria-invalid", "true");
    else this.input.removeAttribute("aria-invalid");
  }
}

// Time in Korea, where summer time ended in 1988.
class TimeControl extends Control {
  constructor(field) { super({ ...field, type: "datetime-local" }); }
  format(iso) {
    return iso && new Date(Date.parse(iso) + 9 * 3_600_000).toISOString().replace(/(:00)?\.000Z$|Z$/, "");
  }
  parse(text) { return text && `${text}+09:00`; }
  describe(iso) { return showTime(iso); }
}

class FileControl extends Control {
  constructor(field) { super({ ...field, type: "file" }); }
  read() { return this.input.files[0] ?? new Blob(); }
}

// List of times, to which a visitor adds and from which they remove.
class TimesControl {
  constructor({ label }) {
    this.label = label;
    this.rows = create("div");
    const id = `control-${++lastId}`;
    this.note = create("p", { id: `${id}-note`, className: "note" });
    this.error = create("p", { id: `${id}-error`, className: "error" });
    this.adder = create("button", { type: "button", className: "quiet", textContent: "회차 추가" });
    this.adder.addEventListener("click", () => this.add("").input.focus());
    const legend = create("legend", { textContent: label });
    this.element = create("fieldset", {}, legend, this.rows, this.adder, this.note, this.error);
    this.element.setAttribute("aria-describedby", `${id}-note ${id}-error`);
  }
  unedited(values, show = true) {
    this.value = values;
    if (!show) return;
    this.times = [];
    this.rows.replaceChildren();
    values.forEach(value => this.add(value));
  }
  add(value) {
    const time = new TimeControl({ label: "" });
    time.unedited(value);
    const remove = create("button", { type: "button", className: "quiet", textContent: "삭제" });
    const row = create("div", {}, create("div", { className: "times" }, time.input, remove), time.error);
    remove.addEventListener("click", () => {
      this.times.splice(this.times.indexOf(time), 1);
      row.remove();
      this.number();
      this.adder.focus();
    });
    this.times.push(time);
    this.rows.append(row);
    this.number();
    return time;
  }
  number() {
    this.times.forEach(({ input }, index) => {
      input.ariaLabel = `${this.label} ${index + 1}회`;
      input.nextSibling.ariaLabel = `${this.label} ${index + 1}회 삭제`;
    });
  }
  read() { return this.times.map(time => time.read()); }
  isEdited() { return String(this.read()) !== String(this.value); }
  describe(values) { return values.map(showTime).join(", "); }
  showError(reason, index) {
    if (index) this.times[index]?.showError(reason);
    else this.error.textContent = reason;
    if (!reason) this.times.forEach(time => time.showError(""));
  }
}

const CONTROLS = { time: TimeControl, times: TimesControl, file: FileControl };
