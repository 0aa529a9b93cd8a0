import type { DefaultStoreResult } from './default-store.ts';
import type { Engine, KillResult } from './kill.ts';
import type { NeighbourResult, Side } from './neighbours.ts';

const MAX_EXAMPLES = 5;

/** The result of a run, as lines to print. */
export interface Report {
  readonly lines: readonly string[];
  readonly broken: boolean;
}

export function killReport(engine: Engine, result: KillResult): Report {
  const { kills, writes, lost, events, deliveries, undelivered, unmatched, refusals, errors, unsettled } = result;
  const problems = { lost, undelivered, 'entity or event without the other': unmatched, 'unexpected answers': refusals, unsettled };
  const counts = {
    kills,
    'writes acknowledged': writes.acknowledged,
    'writes cut off': writes.unacknowledged,
    events,
    'deliveries received': deliveries.received,
    'deliveries cut off by a kill': deliveries.cutOff,
    'deliveries failed on purpose': deliveries.failed,
    repeats: deliveries.repeats,
    'repeats after a 2xx': deliveries.afterSuccess,
    'bodies that differ': deliveries.differing,
    ...Object.fromEntries(Object.entries(problems).map(([name, found]) => [name, found.length])),
    'errors logged': errors.length,
  };
  const found = Object.entries({ ...problems, 'errors logged': errors }).flatMap(([name, texts]) => examples(name, texts));
  const broken = deliveries.differing > 0 || Object.values(problems).some((texts) => texts.length > 0);
  return { lines: [`${engine}, killed`, ...table(counts), ...found], broken };
}

/** How much slower healthy deliveries may become, and how much more memory a kit may keep, because of the bad receivers. */
const MOST_RATIO = 1.5;
const MOST_GROWTH_MB = 50;

export function neighbourReport({ events, alone, together, badAttempts, redirectsFollowed, errors }: NeighbourResult): Report {
  const ratio = together.p99 / alone.p99;
  const missing = alone.missing + together.missing;
  const growth = growthOf(together) - growthOf(alone);
  const both = (mb: (side: Side) => number) => `${mb(alone).toFixed(0)} / ${mb(together).toFixed(0)}`;
  const counts = {
    'events, each to nine healthy': events,
    'healthy deliveries missing': missing,
    'attempts at the five bad': badAttempts,
    'redirects followed': redirectsFollowed,
    'p50 ms without / with the bad': `${alone.p50} / ${together.p50}`,
    'p99 ms without / with the bad': `${alone.p99} / ${together.p99}`,
    [`ratio of p99, at most ${MOST_RATIO}`]: ratio.toFixed(2),
    'peak RSS MB, warm, without / with': both(({ warm }) => warm.peakMb),
    'peak RSS MB, at the end, without / with': both(({ end }) => end.peakMb),
    'settled RSS MB, warm, without / with': both(({ warm }) => warm.settledMb),
    'settled RSS MB, at the end, without / with': both(({ end }) => end.settledMb),
    [`settled RSS grown by MB more, at most ${MOST_GROWTH_MB}`]: growth.toFixed(1),
    'errors logged': errors.length,
  };
  // Both are NaN if nothing was measured; `<=` counts that as a failure.
  const held = missing === 0 && redirectsFollowed === 0 && ratio <= MOST_RATIO && growth <= MOST_GROWTH_MB;
  return { lines: ['bad neighbours', ...table(counts), ...examples('errors logged', errors)], broken: !held };
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
  const problems = Object.entries(texts).flatMap(([name, all]) => examples(name, all));
  return { lines: ['default store', ...lines, ...problems], broken: problems.length > 0 };
}

const growthOf = ({ warm, end }: Side): number => end.settledMb - warm.settledMb;

function table(counts: Readonly<Record<string, number | string>>): string[] {
  const width = Math.max(...Object.keys(counts).map((name) => name.length));
  return Object.entries(counts).map(([name, count]) => `  ${name.padEnd(width)}  ${String(count).padStart(8)}`);
}

function examples(name: string, texts: readonly string[]): string[] {
  return texts.slice(0, MAX_EXAMPLES).map((text) => `  ${name}: ${text.slice(0, 400)}`);
}
