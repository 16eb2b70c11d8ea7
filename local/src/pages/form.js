// Forms that are generated from tables of fields, and the requests that they send.

// Fields to which errors belong that name none.
const FIELD_OF_CODE = {
  AJ_001: "email", AJ_002: "nickname", AL_001: "password", AM_001: "manager", C_005: "thumbnail", C_007: "thumbnail",
};

// Sends a request, and returns the data and message of the envelope with the headers. Throws an error with the message.
async function send(method, path, { headers, body, request = fetch } = {}) {
  let response, envelope = {};
  try {
    headers = { Accept: "application/json", ...headers };
    response = await request(path, { method, body, headers, cache: "no-store" });
    // A body that nobody reads would look like an aborted request.
    const text = await response.text();
    if (response.status !== 204 && response.status !== 304) envelope = JSON.parse(text);
  } catch {
    throw new Error("서비스에 연결하지 못했습니다. 잠시 후 다시 시도해 주세요.");
  }
  if (!response.ok) throw Object.assign(new Error(envelope.message), envelope, { status: response.status });
  return { ...envelope, headers: response.headers };
}

function sendJson(method, path, fields, headers) {
  headers = { "Content-Type": "application/json", ...headers };
  return send(method, path, { headers, body: JSON.stringify(fields) });
}

// Replaces the message of an error code by one that fits the page.
function withMessage(code, message) {
  return error => { throw Object.assign(error, error.code === code && { message }); };
}

// Creates a form. `submit` sends its request and receives the controls by name; its message or error is shown.
function createForm({ fields = [], button, danger, className = "", isRepeatable, submit }) {
  const controls = {};
  for (const { name, ...field } of fields) controls[name] = new (CONTROLS[field.type] ?? Control)(field);
  const alert = create("p", { className: "error", role: "alert" });
  const submitter = create("button", { type: "submit", textContent: button, className: danger ? "danger" : "" });
  const elements = Object.values(controls).map(control => control.element);
  const form = create("form", { noValidate: true, className }, ...elements, alert, submitter);
  form.addEventListener("submit", async event => {
    event.preventDefault();
    if (form.ariaBusy === "true" && !isRepeatable) return;
    form.ariaBusy = "true";
    byId("status").textContent = alert.textContent = "";
    for (const control of Object.values(controls)) control.showError("");
    try {
      byId("status").textContent = (await submit(controls))?.message ?? "";
    } catch (error) {
      alert.textContent = showErrors(controls, error);
      form.querySelector("[aria-invalid=true]")?.focus();
    } finally {
      form.ariaBusy = "false";
    }
  });
  return { form, controls };
}

// Shows the reasons of an error at their fields, and returns the remaining text.
function showErrors(controls, { message, code, errors }) {
  const control = controls[FIELD_OF_CODE[code]];
  if (control) {
    control.showError(message);
    return "";
  }
  const others = [];
  for (const { field, reason } of errors ?? []) {
    const [, name, index] = /^(\w+)(?:\[(\d+)\])?/.exec(field) ?? [];
    if (name in controls) controls[name].showError(reason, index);
    else others.push(`${field}: ${reason}`);
  }
  return [message, ...others].join("\n");
}

function readAll(controls) {
  return Object.fromEntries(Object.entries(controls).map(([name, control]) => [name, control.read()]));
}

function readEdited(controls) {
  return readAll(Object.fromEntries(Object.entries(controls).filter(([, control]) => control.isEdited())));
}

// Runs an action that belongs to no form, and shows its error.
async function run(action) {
  try {
    await action();
  } catch (error) {
    byId("status").textContent = error.message;
  }
}

// Returns a function that tells if another dialog was opened, or another view shown, since this call.
let tasks = 0;
function beginTask() {
  const task = ++tasks, view = location.hash;
  return () => task !== tasks || location.hash !== view;
}

// Opens a dialog with a form. A success closes it and calls `done`; `message` is for responses that have none.
function ask({ title, text = "", values = {}, submit, done, message, ...options }) {
  beginTask();
  const dialog = byId("task");
  const { form, controls } = createForm({
    ...options,
    async submit(controls) {
      const result = { message, ...await submit(controls) };
      // After a cancellation, another form may be in the dialog.
      if (form.isConnected) dialog.close();
      // The change has succeeded, whatever fails afterwards.
      await Promise.resolve(result).then(done).catch(error => { result.message += ` ${error.message}`; });
      return result;
    },
  });
  for (const [name, control] of Object.entries(controls)) control.unedited(values[name] ?? "");
  byId("task-title").textContent = title;
  byId("task-body").replaceChildren(create("p", { textContent: text, hidden: !text }), form);
  dialog.showModal();
  form.querySelector("input")?.focus();
}

byId("task-cancel").addEventListener("click", () => byId("task").close());
// Passwords do not stay in a closed dialog.
byId("task").addEventListener("close", () => { if (!byId("task").open) byId("task-body").replaceChildren(); });
