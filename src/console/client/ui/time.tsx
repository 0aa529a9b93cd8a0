/** @param ms milliseconds since the Unix epoch */
export function TimeText({ ms, format = 'full' }: { ms: number; format?: 'full' | 'time' }) {
  const iso = new Date(ms).toISOString();
  return (
    <time class="num" dateTime={iso} title={iso}>
      {format === 'time' ? iso.slice(11, 23) : `${iso.slice(0, 10)} ${iso.slice(11, 19)}Z`}
    </time>
  );
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

/** Formats a duration in its two largest units, such as `2h 30m`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)}ms`;
  let rest = ms;
  const parts = UNITS.flatMap(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? [] : [`${count}${unit}`];
  });
  return parts.slice(0, 2).join(' ');
}

export function formatOffset(offsetMs: number): string {
  return Math.abs(offsetMs) < 1000 ? 'same as wall time' : `${formatDuration(offsetMs)} ahead`;
}
