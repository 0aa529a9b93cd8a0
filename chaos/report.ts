import type { DefaultStoreResult } from './default-store.ts';
import type { Engine, KillResult } from './kill.ts';
import type { NeighbourResult, Side } from './neighbours.ts';

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

/** How much slower the healthy may get, and how many MB more of memory a kit may keep with the bad ones than without. */
const MOST_RATIO = 1.5;
const MOST_GROWTH_MB = 50;

export function neighbourReport({ events, alone, together, badAttempts, trapped, logged }: NeighbourResult): Report {
  const ratio = together.p99 / alone.p99;
  const missing = alone.missing + together.missing;
  const growth = growthOf(together) - growthOf(alone);
  const both = (mb: (side: Side) => number) => `${mb(alone).toFixed(0)} / ${mb(together).toFixed(0)}`;
  const counts = {
    'events, each to nine healthy': events,
    'healthy deliveries missing': missing,
    'attempts at the five bad': badAttempts,
    'redirects followed': trapped,
    'p50 ms without / with the bad': `${alone.p50} / ${together.p50}`,
    'p99 ms without / with the bad': `${alone.p99} / ${together.p99}`,
    [`ratio of p99, at most ${MOST_RATIO}`]: ratio.toFixed(2),
    'peak RSS MB, warm, without / with': both(({ warm }) => warm.peakMb),
    'peak RSS MB, at the end, without / with': both(({ end }) => end.peakMb),
    'settled RSS MB, warm, without / with': both(({ warm }) => warm.settledMb),
    'settled RSS MB, at the end, without / with': both(({ end }) => end.settledMb),
    [`settled RSS grown by MB more, at most ${MOST_GROWTH_MB}`]: growth.toFixed(1),
    'errors logged': logged.length,
  };
  // Not a number is no proof of anything.
  const held = missing === 0 && trapped === 0 && ratio <= MOST_RATIO && growth <= MOST_GROWTH_MB;
  return { lines: ['bad neighbours', ...table(counts), ...first('errors logged', logged)], broken: !held };
}

export function defaultStoreReport({ counts, ...found }: DefaultStoreResult): Report {
  const texts = { '5xx or no answer': found.failures, 'differences from the model': found.differences, corruption: found.corruption };
  const lines = table({
    'requests accepted': counts.accepted,
    'requests refused': counts.refused,
    'worlds replaced': counts.replaced,
    'snapshots saved': counts.saved,
    'comparisons with the model': counts.compared,
    'largest database, MB': counts.largestMb.toFixed(1),
    ...Object.fromEntries(Object.entries(texts).map(([name, problems]) => [name, problems.length])),
  });
  const problems = Object.entries(texts).flatMap(([name, all]) => first(name, all));
  return { lines: ['default store', ...lines, ...problems], broken: problems.length > 0 };
}

const growthOf = ({ warm, end }: Side): number => end.settledMb - warm.settledMb;

function table(counts: Readonly<Record<string, number | string>>): string[] {
  const width = Math.max(...Object.keys(counts).map((name) => name.length));
  return Object.entries(counts).map(([name, count]) => `  ${name.padEnd(width)}  ${String(count).padStart(8)}`);
}

function first(name: string, texts: readonly string[]): string[] {
  return texts.slice(0, SHOWN).map((text) => `  ${name}: ${text.slice(0, 400)}`);
}
