// What waits until somebody can see it, so that long lists stay cheap.

/** Calls a function once an element is on the screen, or less than half a screen below or above. */
export function onceVisible(element, action) {
  const observer = new IntersectionObserver(
    entries => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      action();
    },
    { rootMargin: "50% 0px" },
  );
  observer.observe(element);
}
