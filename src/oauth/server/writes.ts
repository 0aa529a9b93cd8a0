import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import type { AdapterPayload } from 'oidc-provider';
import type { Executor } from '../../store/engine.ts';
import type { AuthorizationContext } from './context.ts';

type Write = (tx: Executor) => Promise<unknown>;

interface Writes {
  readonly list: Write[];
  /** The artifacts that the request has written but not committed. A deleted artifact is undefined. */
  readonly artifacts: Map<string, AdapterPayload | undefined>;
}

const currentWrites = new AsyncLocalStorage<Writes>();

export function getCurrentWrites(): Writes {
  const writes = currentWrites.getStore();
  if (writes === undefined) throw new Error('The authorization server can write to the store only while it handles a request.');
  return writes;
}

export class WriteConflict extends Error {
  /** Called after the rollback. Throws the error that the client gets. */
  readonly resolve: () => Promise<never>;

  constructor(resolve: () => Promise<never>) {
    super('Another request has made the same write.');
    this.resolve = resolve;
  }
}

export interface CommitOptions extends Pick<AuthorizationContext, 'store' | 'withEntry'> {
  /** Whether a shared journal stores the entry before the response even if the handler writes nothing. */
  readonly alwaysStoresEntry: boolean;
}

/**
 * Runs a handler, and commits the writes before the response. A refusal drops the writes. @throws the error from the handler or the commit;
 * no response is sent
 */
export async function commitBeforeResponse(
  res: ServerResponse,
  { store, withEntry, alwaysStoresEntry }: CommitOptions,
  handler: () => Promise<void>,
): Promise<void> {
  const writes: Writes = { list: [], artifacts: new Map() };
  const { end } = res;
  const headers = new Map(Object.entries(res.getHeaders()));
  let held: Parameters<typeof end> | undefined;
  res.end = ((...given: Parameters<typeof end>) => {
    held ??= given;
    return res;
  }) as typeof end;
  try {
    await currentWrites.run(writes, handler);
    if (held === undefined || res.statusCode >= 400) return;
    const journaled = withEntry(store, res, held[0]);
    if (writes.list.length === 0 && !(alwaysStoresEntry && journaled !== store)) return;
    await journaled.write(async (tx) => {
      for (const write of writes.list) await write(tx);
    });
  } catch (error) {
    held = undefined;
    for (const name of res.headersSent ? [] : res.getHeaderNames()) res.removeHeader(name);
    for (const [name, value] of res.headersSent ? [] : headers) if (value !== undefined) res.setHeader(name, value);
    // Otherwise, the refusal would have the status message of the response that was not sent, such as OK.
    res.statusMessage = '';
    if (error instanceof WriteConflict) await error.resolve();
    throw error;
  } finally {
    res.end = end;
    if (held !== undefined) res.end(...held);
  }
}
