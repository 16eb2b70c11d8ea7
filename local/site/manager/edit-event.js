// Edits of an event, which overwrite no edit of somebody else.

import { openFormDialog } from "../forms/form-dialog.js";
import { readEdited } from "../forms/form.js";
import { notify } from "../elements/toast.js";
import { pathOfEvent, pathOfOwnEvent, send } from "../service/client.js";
import { sendAsManager } from "../service/manager.js";
import * as eventFields from "./event-fields.js";

const FIELDS = [
  eventFields.TITLE,
  eventFields.ARTIST,
  eventFields.DESCRIPTION,
  eventFields.GENRE,
  eventFields.PLACE,
  eventFields.ADDRESS,
  eventFields.AGE_RATING,
  eventFields.RUNNING_MINUTES,
  { ...eventFields.TICKETING_OPEN_TIME, note: eventFields.KOREAN_TIME },
  eventFields.EVENT_OPEN_TIME,
  eventFields.SHOWS,
  eventFields.TICKETING_CLOSE_MINUTES,
  eventFields.MAX_SEATS,
];

/**
 * Returns the values of the fields of an event.
 * @param {EventSummary} event
 */
function valuesOf(event) {
  const values = Object.fromEntries(FIELDS.map(({ name }) => [name, event[name] ?? ""]));
  return { ...values, eventDatetimes: event.eventDatetimes.map(({ datetime }) => datetime) };
}

/**
 * Opens the form with the event as it is now. `done` receives the edited event.
 * @param {OwnEvent} event
 * @param {(changed: Partial<OwnEvent>) => void} done
 */
export async function editEvent(event, done) {
  // Only its manager reads a draft.
  const read = () =>
    event.status === "DRAFT" ? sendAsManager("GET", pathOfOwnEvent(event.id)) : send("GET", pathOfEvent(event.id));
  const current = await read();
  let etag = current.headers.get("ETag");
  openFormDialog({
    title: "공연 수정",
    fields: FIELDS,
    values: valuesOf(current.data),
    button: "저장하기",
    async submit(fields) {
      const request = { fields: readEdited(fields), headers: { "If-Match": String(etag) } };
      try {
        return await sendAsManager("PATCH", pathOfEvent(event.id), request);
      } catch (error) {
        if (error.status !== 412) throw error;
        const latest = await read();
        etag = latest.headers.get("ETag");
        const changed = showLatest(fields, valuesOf(latest.data));
        throw new Error(`그사이 다른 사람이 이 공연을 수정했어요(${changed}). 바뀐 값을 확인하고 다시 저장해 주세요.`);
      }
    },
    done({ data }) {
      // A value that the edit has removed is missing in the response.
      const removed = Object.fromEntries(FIELDS.map(({ name }) => [name, undefined]));
      done({ ...removed, ...data });
      notify("공연을 수정했어요.");
    },
  });
}

/**
 * Shows the latest values at their fields, and keeps what was typed. Returns the labels of those that have changed.
 * @param {Fields} fields
 * @param {Record<string, any>} values
 */
function showLatest(fields, values) {
  const changed = FIELDS.filter(({ name }) => String(values[name]) !== String(fields[name].value));
  for (const { name } of changed) {
    const field = fields[name];
    const isEdited = field.isEdited();
    field.setValue(values[name], isEdited);
    field.note.textContent = isEdited ? `현재 값: ${field.describe(values[name])}` : "다른 사람이 수정한 값이에요.";
  }
  return changed.map(({ label }) => label.replace(" (선택)", "")).join(", ") || "포스터";
}
