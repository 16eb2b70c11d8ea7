// Keeps the page of gates on this device, so that it opens again without network.

/** Prefix of the names of all caches of gates. */
export const PREFIX = "gate-";
const PAGE = "/gate";
const version = new URL("..", import.meta.url).pathname.split("/").at(-2) ?? "";

/**
 * Keeps the page and the files that it has loaded, and of the caches of gates only this one and those that are named.
 * @param {string[]} others
 */
export async function keepPage(...others) {
  // Browsers have workers and caches only on HTTPS and localhost.
  if (!navigator.serviceWorker) return;
  await navigator.serviceWorker.register("/site/gate/offline.worker.js", { scope: PAGE });
  const page = await fetch(PAGE);
  // The files of a newer version are known when its page is loaded.
  if (!page.ok || !(await page.clone().text()).includes(version)) return;
  const name = `${PREFIX}${version}`;
  const cache = await caches.open(name);
  // A module and its preload are two entries.
  const loaded = performance.getEntriesByType("resource").map(entry => entry.name);
  await cache.addAll(new Set(loaded.filter(url => url.includes(`/site/${version}/`))));
  await cache.put(PAGE, page);
  for (const other of await caches.keys())
    if (other.startsWith(PREFIX) && ![name, ...others].includes(other)) await caches.delete(other);
}
