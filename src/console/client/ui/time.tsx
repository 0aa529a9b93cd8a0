import { kitDay } from '../kit/state.ts';

/**
 * @param at an ISO time, or milliseconds since the Unix epoch
 * @param format `time` omits the date if it is today's in kit time
 */
export function TimeText({ at, format = 'full' }: { at: string | number; format?: 'full' | 'time' }) {
  const iso = new Date(at).toISOString();
  return (
    <time class="num" dateTime={iso} title={iso}>
      {format === 'time' ? formatTime(iso) : `${iso.slice(0, 10)} ${iso.slice(11, 19)}Z`}
    </time>
  );
}

const formatDay = new Intl.DateTimeFormat('en', { timeZone: 'UTC', month: 'short', day: 'numeric' });

/** Returns a time with seconds, after the date if it is not today's in kit time. */
export function formatTime(iso: string): string {
  const time = iso.slice(11, 19);
  return iso.startsWith(kitDay.value) ? time : `${formatDay.format(new Date(iso))}, ${time}`;
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
