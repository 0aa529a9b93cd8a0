/** An instant in the format of the API: ISO 8601, UTC, milliseconds. */
export function instant(ms: number): string {
  return new Date(ms).toISOString();
}

/**
 * The `updatedAt` of a change: kit time, but always later than the previous one, so that consumers can order two changes of one millisecond
 * (Events › Consumer rules, 1).
 */
export function nextInstant(nowMs: number, previous: string | null | undefined): string {
  return instant(previous ? Math.max(nowMs, Date.parse(previous) + 1) : nowMs);
}
