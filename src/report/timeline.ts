import type { Check, Results, TimelineEntry } from '../contract/generated/results.ts';

type Timeline = readonly TimelineEntry[];

/** Returns the name under which reports show who acted. In the check of an endpoint, the service only delivers. */
export function actorName(by: TimelineEntry['by'], kind: Results['target']['kind']): string {
  if (by === 'service' && kind === 'webhook') return 'delivery';
  if (by !== 'integration') return by;
  return kind === 'webhook' ? 'endpoint' : 'client';
}

/** Returns the time of an entry. The date is left out if all entries have the same date. */
export function timeOf({ at }: TimelineEntry, timeline: Timeline): string {
  const dates = new Set(timeline.map((entry) => entry.at.slice(0, 10)));
  return dates.size > 1 ? at.replace('T', ' ').replace('Z', '') : at.slice(11).replace('Z', '');
}

/** Returns the entries that a report shows: at most `max`, and of a longer timeline the ones up to the entry that breaks the rule. */
export function shownEntries(timeline: Timeline, max: number): Timeline {
  if (timeline.length <= max) return timeline;
  const end = Math.max(max, timeline.findLastIndex(({ violation }) => violation) + 1 || timeline.length);
  return timeline.slice(end - max, end);
}

/** Returns a line for each entry of the timeline of a check, and a line with the command that repeats the check. */
export function timelineLines({ timeline = [], replay }: Check, kind: Results['target']['kind']): string[] {
  const entries = shownEntries(timeline, 30);
  const others = timeline.length - entries.length;
  const lines = entries.map((entry) => {
    const time = timeOf(entry, timeline);
    return `${entry.violation ? '✗' : ' '} ${time}  ${actorName(entry.by, kind).padEnd(8)}  ${entry.text}`;
  });
  return [
    ...lines,
    ...(others > 0 ? [`  ${others} other entries are in results.json`] : []),
    ...(replay === undefined ? [] : [`To repeat it: ${replay}`]),
  ];
}
