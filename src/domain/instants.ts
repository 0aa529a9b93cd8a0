export function formatInstant(ms: number): string {
  return new Date(ms).toISOString();
}

/** Returns a changed entity's `updatedAt`, which is always later than `previous` (Events › Consumer rules, 1). */
export function getNextInstant(nowMs: number, previous: string | null | undefined): string {
  return formatInstant(previous ? Math.max(nowMs, Date.parse(previous) + 1) : nowMs);
}
