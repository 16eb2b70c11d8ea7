// Poster of an event, in a frame whose ratio it may not have.

import { create } from "../dom.js";
import { pathOfPoster } from "../service/client.js";

/**
 * Creates the whole poster in front of itself, blurred, which fills what is left of the frame.
 * @param {{ thumbnail: string }} event
 * @param {Properties<"img">} properties
 */
export function createPoster(event, properties = {}) {
  const image = create("img", { src: pathOfPoster(event), alt: "", ...properties });
  const blurred = create("img", { src: pathOfPoster(event), alt: "", loading: image.loading });
  return create("div", { className: "poster" }, [blurred, image]);
}
