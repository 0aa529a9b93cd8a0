const NOTICE_DELAY_MS = 2000;

interface OutputStream {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export async function withNotice<Result>(text: string, promise: Promise<Result>, output: OutputStream = process.stderr): Promise<Result> {
  const timer = output.isTTY ? setTimeout(() => output.write(`${text} Press Ctrl-C to stop.\n`), NOTICE_DELAY_MS) : undefined;
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
