const AFTER_MS = 2000;

interface Sink {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Tells a person at a terminal what the command waits for, if the work takes more than two seconds. */
export async function withNotice<Result>(text: string, work: Promise<Result>, sink: Sink = process.stderr): Promise<Result> {
  const timer = sink.isTTY ? setTimeout(() => sink.write(`${text} Press Ctrl-C to stop.\n`), AFTER_MS) : undefined;
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
