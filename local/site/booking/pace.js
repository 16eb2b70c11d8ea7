// Pace of requests that keep a page fresh: fast while somebody acts, slow while nobody does, and none while the page is
// hidden.

const ACTIONS = ["pointermove", "pointerdown", "wheel", "keydown"];
const MINUTE = 60_000;
// Milliseconds between requests, by the time since the last action
const PACES = [
  { idle: 5 * MINUTE, wait: 30_000 },
  { idle: MINUTE, wait: 10_000 },
  { idle: 0, wait: 2_000 },
];

/**
 * Returns a function that waits until the next request. Once somebody acts or sees the page again, it waits no longer
 * than is due then. While `isUrgent`, the pace is fast whatever anybody does.
 * @param {() => boolean} isUrgent
 */
export function createPace(isUrgent) {
  let actedAt = performance.now();
  let wake = () => {};
  const waitFor = () => {
    const now = isUrgent() ? 0 : performance.now() - actedAt;
    return PACES.find(({ idle }) => now >= idle)?.wait ?? 0;
  };
  const act = () => {
    const before = waitFor();
    actedAt = performance.now();
    if (waitFor() < before) wake();
  };
  for (const type of ACTIONS) addEventListener(type, act, { capture: true, passive: true });
  document.addEventListener("visibilitychange", () => {
    act();
    wake();
  });
  return async () => {
    const start = performance.now();
    const left = () => start + waitFor() - performance.now();
    while (left() > 0 || document.hidden) {
      await new Promise(resolve => {
        wake = () => resolve(undefined);
        if (!document.hidden) setTimeout(resolve, left());
      });
    }
  };
}
