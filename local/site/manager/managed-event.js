// Event as its manager reads and changes it, without overwriting what somebody else has changed.

import { pathOfOwnEvent } from "../service/client.js";
import { sendAsManager } from "../service/manager.js";

/** Sends `change` when the event is another. */
export class ManagedEvent extends EventTarget {
  /** @type {Schemas["ManagedEventDetail"]} */
  event;

  constructor(id) {
    super();
    this.id = id;
  }

  async load() {
    const { data, headers } = await sendAsManager("GET", pathOfOwnEvent(this.id));
    this.setEvent(data, headers);
  }

  /**
   * @param {Schemas["ManagedEventDetail"]} event
   * @param {Headers} headers
   */
  setEvent(event, headers) {
    this.event = event;
    this.etag = headers.get("ETag");
    this.dispatchEvent(new Event("change"));
  }

  /**
   * Sends an edit. The response has the event, but neither its areas nor its status, which `changed` may have.
   * @param {string} method
   * @param {string} path
   * @param {object} fields
   * @param {Partial<OwnEvent>} [changed]
   */
  async edit(method, path, fields, changed) {
    try {
      const { data, headers } = await sendAsManager(method, path, {
        fields,
        headers: { "If-Match": String(this.etag) },
      });
      this.setEvent({ ...this.event, ...data, ...changed }, headers);
    } catch (error) {
      if (error.status !== 412) throw error;
      await this.load();
      throw new Error("그사이 다른 사람이 이 공연을 바꿨어요. 최신 내용을 불러왔으니 확인하고 다시 시도해 주세요.");
    }
  }
}
