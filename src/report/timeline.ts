import type { Check, Results, TimelineEntry } from '../contract/generated/results.ts';

type Timeline = readonly TimelineEntry[];

export function getActorName(by: TimelineEntry['by'], kind: Results['target']['kind']): string {
  if (by === 'service' && kind === 'webhook') return 'delivery';
  if (by !== 'integration') return by;
  return kind === 'webhook' ? 'endpoint' : 'client';
}

export function formatTime({ at }: TimelineEntry, timeline: Timeline): string {
  const dates = new Set(timeline.map((entry) => entry.at.slice(0, 10)));
  return dates.size > 1 ? at.replace('T', ' ').replace('Z', '') : at.slice(11).replace('Z', '');
}

/** Returns at most `max` entries, including the last entry that breaks the rule. */
export function selectEntries(timeline: Timeline, max: number): Timeline {
  if (timeline.length <= max) return timeline;
  const end = Math.max(max, timeline.findLastIndex(({ violation }) => violation) + 1 || timeline.length);
  return timeline.slice(end - max, end);
}

export function formatTimeline({ timeline = [], replay }: Check, kind: Results['target']['kind']): string[] {
  const entries = selectEntries(timeline, 30);
  const others = timeline.length - entries.length;
  const lines = entries.map((entry) => {
    const time = formatTime(entry, timeline);
    return `${entry.violation ? '✗' : ' '} ${time}  ${getActorName(entry.by, kind).padEnd(8)}  ${entry.text}`;
  });
  return [
    ...lines,
    ...(others > 0 ? [`  ${others} more entries are in results.json`] : []),
    ...(replay === undefined ? [] : [`To repeat it: ${replay}`]),
  ];
}
