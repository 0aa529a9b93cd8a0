import assert from 'node:assert/strict';

export interface Message {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A reader of server-sent events. */
export interface Source {
  readonly response: Response;
  /** The next message of the type, those before it included in none. */
  next(event?: string): Promise<Message>;
  /** Resolves when the server has ended the stream. */
  ended(): Promise<void>;
  /** As a client that goes. */
  leave(): Promise<void>;
}

export async function openSource(url: string, headers: Record<string, string> = {}): Promise<Source> {
  const response = await fetch(url, { headers });
  assert.equal(response.status, 200, `${url}: ${response.status}`);
  const messages = messagesIn(response.body as ReadableStream<Uint8Array>);
  const take = async () => {
    const { value, done } = await messages.next();
    assert.ok(!done, 'the stream has ended');
    return value;
  };
  return {
    response,
    async next(event) {
      for (;;) {
        const message = await take();
        if (event === undefined || message.event === event) return message;
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
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const message = parsed(text.slice(0, end));
      text = text.slice(end + 2);
      if (message) yield message;
    }
  }
}

/** Undefined for a comment. */
function parsed(block: string): Message | undefined {
  if (block.startsWith(':')) return undefined;
  const {
    id = '',
    event = '',
    data = '',
  } = Object.fromEntries(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)])) as Record<
    string,
    string
  >;
  return { id, event, data: JSON.parse(data) as Message['data'] };
}
