import assert from 'node:assert/strict';

export interface Message {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A reader of server-sent events. */
export interface Source {
  readonly response: Response;
  /** Waits for the next message with this event type, or for the next message of any type. */
  next(event?: string): Promise<Message>;
  /** Resolves when the server has ended the stream. */
  ended(): Promise<void>;
  /** Closes the connection. */
  leave(): Promise<void>;
}

export async function openSource(url: string, headers: Record<string, string> = {}): Promise<Source> {
  // The timeout makes a test fail if a message never arrives.
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(30_000) });
  assert.equal(response.status, 200, `${url}: ${response.status}`);
  const messages = messagesIn(response.body as ReadableStream<Uint8Array>);
  return {
    response,
    async next(event) {
      for (;;) {
        const { value, done } = await messages.next();
        assert.ok(!done, 'the stream has ended');
        if (event === undefined || value.event === event) return value;
      }
    },
    async ended() {
      while (!(await messages.next()).done);
    },
    async leave() {
      await messages.return(undefined);
    },
  };
}

async function* messagesIn(body: ReadableStream<Uint8Array>): AsyncGenerator<Message, undefined> {
  let text = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream() as never) as unknown as AsyncIterable<string>) {
    const blocks = (text + chunk).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks.filter((one) => !one.startsWith(':'))) {
      const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]));
      yield { id: fields.get('id') ?? '', event: fields.get('event') ?? '', data: JSON.parse(fields.get('data') ?? '') };
    }
  }
}
