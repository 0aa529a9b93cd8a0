import type { Engine, KillResult } from './kill.ts';
import type { NeighbourResult } from './neighbours.ts';

/** More would only hide the first. */
const SHOWN = 5;

/** What a run came to: lines to print, and whether anything was broken. */
export interface Report {
  readonly lines: readonly string[];
  readonly broken: boolean;
}

export function killReport(engine: Engine, result: KillResult): Report {
  const { kills, writes, lost, events, deliveries, undelivered, apart, refusals, logged, unsettled } = result;
  const wrong = { lost, undelivered, 'entity or event without the other': apart, 'unexpected answers': refusals, unsettled };
  const counts = {
    kills,
    'writes acknowledged': writes.acknowledged,
    'writes cut off': writes.unacknowledged,
    events,
    'deliveries received': deliveries.received,
    'deliveries cut off by a kill': deliveries.cutOff,
    'deliveries failed on purpose': deliveries.failed,
    repeats: deliveries.repeats,
    'repeats after a 2xx': deliveries.needless,
    'bodies that differ': deliveries.differing,
    ...Object.fromEntries(Object.entries(wrong).map(([name, found]) => [name, found.length])),
    'errors logged': logged.length,
  };
  const found = Object.entries({ ...wrong, 'errors logged': logged }).flatMap(([name, texts]) => first(name, texts));
  const broken = deliveries.differing > 0 || Object.values(wrong).some((texts) => texts.length > 0);
  return { lines: [`${engine}, killed`, ...table(counts), ...found], broken };
}

export function neighbourReport(result: NeighbourResult): Report {
  const { events, missing, trapped, alone, together, growthMb, badAttempts, logged } = result;
  const ratio = together / alone;
  const counts = {
    'events, each to nine healthy': events,
    'healthy deliveries missing': missing,
    'attempts at the five bad': badAttempts,
    'redirects followed': trapped,
    'p99 ms without the bad': alone.toFixed(1),
    'p99 ms with the bad': together.toFixed(1),
    'ratio, at most 1.5': ratio.toFixed(2),
    'memory grown by MB, at most 50': growthMb.toFixed(1),
    'errors logged': logged.length,
  };
  const broken = missing > 0 || trapped > 0 || ratio > 1.5 || growthMb > 50;
  return { lines: ['bad neighbours', ...table(counts), ...first('errors logged', logged)], broken };
}

function table(counts: Readonly<Record<string, number | string>>): string[] {
  const width = Math.max(...Object.keys(counts).map((name) => name.length));
  return Object.entries(counts).map(([name, count]) => `  ${name.padEnd(width)}  ${String(count).padStart(8)}`);
}

function first(name: string, texts: readonly string[]): string[] {
  return texts.slice(0, SHOWN).map((text) => `  ${name}: ${text.slice(0, 400)}`);
}
