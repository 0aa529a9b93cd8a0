/** Formats an instant as the API does: ISO 8601 in UTC, with milliseconds. */
export function formatInstant(ms: number): string {
  return new Date(ms).toISOString();
}

/**
 * Returns a changed entity's `updatedAt`: kit time, but at least one millisecond after the previous `updatedAt`. Consumers can therefore
 * order two changes that happen within one millisecond (Events › Consumer rules, 1).
 */
export function getNextInstant(nowMs: number, previous: string | null | undefined): string {
  return formatInstant(previous ? Math.max(nowMs, Date.parse(previous) + 1) : nowMs);
}
