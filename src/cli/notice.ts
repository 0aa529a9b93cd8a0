const NOTICE_DELAY_MS = 2000;

interface OutputStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Prints what the command is waiting for, if the work takes more than two seconds and the output is a terminal. */
export async function withNotice<Result>(text: string, work: Promise<Result>, sink: OutputStream = process.stderr): Promise<Result> {
  const timer = sink.isTTY ? setTimeout(() => sink.write(`${text} Press Ctrl-C to stop.\n`), NOTICE_DELAY_MS) : undefined;
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
