let lastStamp = 0;

/** Returns the current UTC time with microseconds, later than in every earlier call. */
export function createTimestamp(): string {
  const fraction = Number((process.hrtime.bigint() / 1000n) % 1000n);
  lastStamp = Math.max(lastStamp + 1, Date.now() * 1000 + fraction);
  const text = new Date(Math.floor(lastStamp / 1000)).toISOString();
  return `${text.slice(0, 23)}${String(lastStamp % 1000).padStart(3, '0')}+00:00`;
}
