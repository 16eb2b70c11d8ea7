// Forms of fields: one request at a time, and its errors at the fields to which they belong.

import { create, focusFirst } from "../dom.js";
import { createField } from "./field.js";

// Fields to which errors belong that name none.
const FIELD_OF_CODE = {
  AJ_001: "email",
  AJ_002: "nickname",
  AL_001: "password",
  AM_001: "manager",
  C_005: "thumbnail",
  C_007: "thumbnail",
};

/**
 * Creates a form. `fields` are the options of each field with its name, and `values` their unedited values. `submit`
 * receives the fields by name; what it throws is shown.
 * @param {FormOptions} options
 */
export function createForm({ fields: list = [], values = {}, button, danger, submit }) {
  /** @type {Fields} */
  const fields = {};
  for (const { name, ...options } of list) {
    fields[name] = createField(options);
    if (values[name] !== undefined) fields[name].setValue(values[name]);
  }
  const alert = create("p", { className: "error", role: "alert" });
  const submitter = create("button", { type: "submit", className: danger ? "danger" : "" }, button);
  const elements = Object.values(fields).map(field => field.element);
  const form = create("form", { className: "fields", noValidate: true }, [...elements, alert, submitter]);
  form.addEventListener("submit", async event => {
    event.preventDefault();
    if (form.ariaBusy === "true") return;
    form.ariaBusy = "true";
    alert.textContent = "";
    for (const field of Object.values(fields)) field.showError("");
    try {
      await submit(fields);
    } catch (error) {
      alert.textContent = showErrors(fields, error);
      focusFirst(form, "[aria-invalid=true]");
    } finally {
      form.ariaBusy = "false";
    }
  });
  return { form, fields };
}

/**
 * Shows the reasons of an error at their fields, and returns the text that belongs to none.
 * @param {Fields} fields
 * @param {ServiceError} error
 */
function showErrors(fields, { message, code, errors }) {
  const field = fields[FIELD_OF_CODE[code]];
  if (field) {
    field.showError(message);
    return "";
  }
  const others = (errors ?? []).filter(({ field: path, reason }) => !showReason(fields, path, reason));
  return [message, ...others.map(({ field: path, reason }) => `${path}: ${reason}`)].join("\n");
}

/**
 * Shows a reason of the service at its field, whose name begins the path, and tells if there is such a field.
 * @param {Fields} fields
 * @param {string} path
 * @param {string} reason
 */
export function showReason(fields, path, reason) {
  const [, name, index] = /^(\w+)(?:\[(\d+)\])?/.exec(path) ?? [];
  fields[name]?.showError(reason, index, path);
  return name in fields;
}

/**
 * @param {Fields} fields
 * @returns {any}
 */
export function readAll(fields) {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.read()]));
}

/** @param {Fields} fields */
export function readEdited(fields) {
  return readAll(Object.fromEntries(Object.entries(fields).filter(([, field]) => field.isEdited())));
}

/** Returns a function for `catch` that replaces the message of an error code by one that fits the page. */
export function withMessage(code, message) {
  return (/** @type {ServiceError} */ error) => {
    throw Object.assign(error, error.code === code && { message });
  };
}
