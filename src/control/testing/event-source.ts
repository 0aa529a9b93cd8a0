import assert from 'node:assert/strict';

export interface Message {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export async function openEventSource(url: string, headers: Record<string, string> = {}) {
  // The timeout makes a test fail if a message never arrives.
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(30_000) });
  assert.equal(response.status, 200, `${url}: ${response.status}`);
  const messages = parseMessages(response.body as ReadableStream<Uint8Array>);
  return {
    response,
    async next(event?: string): Promise<Message> {
      for (;;) {
        const { value, done } = await messages.next();
        assert.ok(!done, 'the stream has ended');
        if (event === undefined || value.event === event) return value;
      }
    },
    async waitForEnd(): Promise<void> {
      while (!(await messages.next()).done);
    },
    async close(): Promise<void> {
      await messages.return(undefined);
    },
    [Symbol.asyncDispose](): Promise<void> {
      return this.close();
    },
  };
}

async function* parseMessages(body: ReadableStream<Uint8Array>): AsyncGenerator<Message, undefined> {
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
