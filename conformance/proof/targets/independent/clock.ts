let lastStamp = 0;

/** Returns the current UTC time with microseconds, later than in every earlier call. */
export function createTimestamp(): string {
  const fraction = Number((process.hrtime.bigint() / 1000n) % 1000n);
  lastStamp = Math.max(lastStamp + 1, Date.now() * 1000 + fraction);
  const text = new Date(Math.floor(lastStamp / 1000)).toISOString();
  return `${text.slice(0, 23)}${String(lastStamp % 1000).padStart(3, '0')}+00:00`;
}

/** Converts a time from `createTimestamp()` to UTC+2. */
export function toLocalTime(text: string): string {
  const shifted = new Date(Date.parse(`${text.slice(0, 23)}Z`) + 7_200_000).toISOString();
  return `${shifted.slice(0, 23)}${text.slice(23, 26)}+02:00`;
}
