/**
 * When the element with the focus is removed, moves the focus to the section around it, or to the page's content. Otherwise the next key
 * would start at the beginning of the document.
 */
export function keepFocus(): void {
  /** The element that had the focus last, and the elements around it, from the inside out. */
  let path: readonly EventTarget[] = [];
  addEventListener('focusin', (event) => {
    path = event.composedPath();
  });
  const restoreFocus = () => {
    const [last, ...around] = path.filter((each) => each instanceof HTMLElement);
    if (document.activeElement !== document.body || !last || last.isConnected) return;
    const place = around.find((each) => each.isConnected && each.matches('section, article')) ?? document.getElementById('main');
    place?.setAttribute('tabindex', '-1');
    place?.focus({ preventScroll: true });
  };
  new MutationObserver(restoreFocus).observe(document.body, { childList: true, subtree: true });
}
