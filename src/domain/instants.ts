/** Formats an instant like the API: ISO 8601 in UTC, with milliseconds. */
export function instant(ms: number): string {
  return new Date(ms).toISOString();
}

/**
 * The `updatedAt` of a changed entity: kit time, but always later than the previous `updatedAt`, so that consumers can order two changes
 * within one millisecond (Events › Consumer rules, 1).
 */
export function nextInstant(nowMs: number, previous: string | null | undefined): string {
  return instant(previous ? Math.max(nowMs, Date.parse(previous) + 1) : nowMs);
}
