import type { TargetSettings } from '../target/target-settings.ts';

/** Displays a run's progress: on a terminal, one line that changes, and in a file, a new line every few seconds. */
export interface Progress {
  /** Displays the progress while checks wait. Must be called about every five seconds. */
  remind(runningCheck: string): void;
  advance(endedCheck: string, failure?: Failure): void;
  writeAbove(text: string): void;
  end(): void;
}

/** What failed: a documented rule, an implied rule, or the suite itself (error). */
export type Failure = 'documented' | 'implied' | 'error';

interface Sink {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** The shortest interval, in milliseconds, between two progress lines if the output is not a terminal. */
export const LINE_INTERVAL_MS = 5000;
const CLEAR_LINE = '\r\x1b[2K';

/** The checks that share a run of random sequences after all others, and the duration of the run. */
export interface FinalChecks {
  readonly count: number;
  readonly durationMs: number;
}

/** An estimate from a shorter time would be a guess. */
const MIN_ESTIMATE_MS = 2000;

/** @param now a monotonic clock, in milliseconds */
export function createProgress(total: number, sink: Sink, now: () => number, final: FinalChecks = { count: 0, durationMs: 0 }): Progress {
  const started = now();
  const failures: Record<Failure, number> = { documented: 0, implied: 0, error: 0 };
  let [done, shownAt, endedAt] = [0, started, started];
  /** When the first check ended. The time before it is mostly the start of the workers. */
  let firstEndedAt = started;

  /** Returns the time left if the other checks take as long as the previous ones did on average. */
  const describeTimeLeft = () => {
    const rest = total - final.count - done;
    const elapsed = now() - firstEndedAt;
    if (done < 2 || elapsed < MIN_ESTIMATE_MS) return [];
    const left = rest > 0 ? (elapsed / (done - 1)) * rest + final.durationMs : final.durationMs - (now() - endedAt);
    return left < 1000 ? [] : [`about ${Math.ceil(left / 1000)} s left`];
  };

  const show = (check: string) => {
    const failed = (['documented', 'implied'] as const).flatMap((level) => (failures[level] > 0 ? `${failures[level]} ${level}` : []));
    const counts = [
      `${String(done).padStart(String(total).length)} of ${total} checks`,
      ...(failed.length > 0 ? [`failed: ${failed.join(', ')}`] : []),
      ...(failures.error > 0 ? [`errors: ${failures.error}`] : []),
      ...describeTimeLeft(),
    ];
    const text = counts.join('; ');
    if (sink.isTTY) sink.write(CLEAR_LINE + `${text}  ${check}`.slice(0, (sink.columns ?? 80) - 1));
    else if (now() - shownAt >= LINE_INTERVAL_MS) {
      shownAt = now();
      sink.write(`${text}, ${Math.round((shownAt - started) / 1000)} s\n`);
    }
  };

  return {
    remind: (runningCheck) => show(`${Math.round((now() - started) / 1000)} s, running: ${runningCheck}`),
    advance(endedCheck, failure) {
      done += 1;
      if (done === 1) firstEndedAt = now();
      if (done <= total - final.count) endedAt = now();
      if (failure) failures[failure] += 1;
      show(endedCheck);
    },
    writeAbove(text) {
      sink.write(sink.isTTY ? CLEAR_LINE + text : text);
    },
    end() {
      if (sink.isTTY) sink.write(CLEAR_LINE);
    },
  };
}

/** How many requests a check sends on average. */
const REQUESTS_PER_CHECK = 5;

/** Says how long the checks of a profile's target may take. */
export function describeDuration(checks: number, { profile: { events }, requestsPerSecond }: TargetSettings): string {
  const paced = requestsPerSecond === undefined ? 0 : (checks * REQUESTS_PER_CHECK) / requestsPerSecond / 60;
  const duration = `If the target responds quickly, they take about ${Math.ceil(Math.max(1, paced))} min.`;
  const { patienceSeconds = 30, repeatsWithinSeconds = 0 } = events ?? {};
  return `${checks} checks. ${duration} A check waits up to ${Math.max(patienceSeconds, repeatsWithinSeconds)} s for a missing event.\n`;
}
