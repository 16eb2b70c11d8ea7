// Dialogs with a form, which close when its request has succeeded.

import { create } from "../dom.js";
import { openDialog } from "../elements/dialog.js";
import { notify } from "../elements/toast.js";
import { createForm } from "./form.js";

/**
 * Opens a form below paragraphs of text in a dialog. `done` receives the result of `submit`, even if the dialog was
 * closed meanwhile.
 * @param {FormOptions & { title: string, text?: Child | Child[], done?: (result: any) => void }} options
 */
export function openFormDialog({ title, text = [], submit, done, ...options }) {
  const { form } = createForm({
    ...options,
    async submit(fields) {
      const result = await submit(fields).catch(error => {
        if (!dialog.open) notify(error.message);
        throw error;
      });
      dialog.close();
      done?.(result);
    },
  });
  const dialog = openDialog(
    title,
    create("div", { className: "stack" }, [...[text].flat().map(createParagraph), form]),
  );
  return dialog;
}

/** @param {Child} text */
const createParagraph = text => (text instanceof HTMLDetailsElement ? text : create("p", {}, text));
