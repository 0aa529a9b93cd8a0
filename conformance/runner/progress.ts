/** Shows the progress of a run: on a terminal in one line that is rewritten, in a file with a new line every few seconds. */
export interface Progress {
  /** @param current the name of the check that has ended */
  advance(current: string, failed: boolean): void;
  /** Writes a text above the progress line. */
  above(text: string): void;
  end(): void;
}

interface Sink {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** The interval between two lines in a file. */
const EVERY_MS = 5000;
const CLEAR = '\r\x1b[2K';

/** @param now a monotonic clock, in milliseconds */
export function createProgress(total: number, sink: Sink, now: () => number): Progress {
  const started = now();
  let [done, failures, shownAt] = [0, 0, started];

  return {
    advance(current, failed) {
      done += 1;
      if (failed) failures += 1;
      const text = `${String(done).padStart(String(total).length)} of ${total} checks${failures > 0 ? `, ${failures} failed` : ''}`;
      if (sink.isTTY) sink.write(CLEAR + `${text}  ${current}`.slice(0, (sink.columns ?? 80) - 1));
      else if (now() - shownAt >= EVERY_MS) {
        shownAt = now();
        sink.write(`${text}, ${Math.round((shownAt - started) / 1000)} s\n`);
      }
    },
    above(text) {
      sink.write(sink.isTTY ? CLEAR + text : text);
    },
    end() {
      if (sink.isTTY) sink.write(CLEAR);
    },
  };
}
