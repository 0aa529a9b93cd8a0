/** Displays a run's progress: on a terminal, one line that changes, and in a file, a new line every few seconds. */
export interface Progress {
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
const LINE_INTERVAL_MS = 5000;
const CLEAR_LINE = '\r\x1b[2K';

/** @param now a monotonic clock, in milliseconds */
export function createProgress(total: number, sink: Sink, now: () => number): Progress {
  const started = now();
  const failures: Record<Failure, number> = { documented: 0, implied: 0, error: 0 };
  let [done, shownAt] = [0, started];

  return {
    advance(endedCheck, failure) {
      done += 1;
      if (failure) failures[failure] += 1;
      const failed = (['documented', 'implied'] as const).flatMap((level) => (failures[level] > 0 ? `${failures[level]} ${level}` : []));
      const counts = [
        `${String(done).padStart(String(total).length)} of ${total} checks`,
        ...(failed.length > 0 ? [`failed: ${failed.join(', ')}`] : []),
        ...(failures.error > 0 ? [`errors: ${failures.error}`] : []),
      ];
      const text = counts.join('; ');
      if (sink.isTTY) sink.write(CLEAR_LINE + `${text}  ${endedCheck}`.slice(0, (sink.columns ?? 80) - 1));
      else if (now() - shownAt >= LINE_INTERVAL_MS) {
        shownAt = now();
        sink.write(`${text}, ${Math.round((shownAt - started) / 1000)} s\n`);
      }
    },
    writeAbove(text) {
      sink.write(sink.isTTY ? CLEAR_LINE + text : text);
    },
    end() {
      if (sink.isTTY) sink.write(CLEAR_LINE);
    },
  };
}
