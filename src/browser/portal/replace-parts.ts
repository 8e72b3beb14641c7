/** Replaces what a page shows of a snapshot by what a newer version of it shows: only what differs. */
export function replaceParts(
  page: ParentNode,
  next: ParentNode,
  selectors: readonly string[],
): void {
  for (const selector of selectors) {
    const [old, newer] = [page.querySelector(selector), next.querySelector(selector)];
    if (!old || !newer || old.innerHTML === newer.innerHTML) continue;
    old.replaceChildren(...newer.childNodes);
  }
}
