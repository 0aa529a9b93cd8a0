const DEFAULT_PAGE_SIZE = 100;

/** The page size asked for, 100 when none is (Limits). Sizes out of range got here only where the decision is to clamp them. */
export function pageSizeOf(text: string | undefined, maximum: number): number {
  return text === undefined ? DEFAULT_PAGE_SIZE : Math.min(Math.max(Number(text), 1), maximum);
}
