import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Reads server-sent events whose data is JSON on one line, as a kit sends them. Ends when the stream ends. */
export async function* readMessages(stream: Readable): AsyncGenerator<{ readonly event: string; readonly data: unknown }, void> {
  let event = '';
  for await (const line of createInterface({ input: stream })) {
    if (line.startsWith('event: ')) event = line.slice('event: '.length);
    if (line.startsWith('data: ')) yield { event, data: JSON.parse(line.slice('data: '.length)) as unknown };
  }
}
