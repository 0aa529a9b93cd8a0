import type { components } from '../contract/generated/control.ts';
import { callOperation } from '../control-client/call.ts';
import { getResponseData } from '../control-client/client.ts';
import { convertUsageError, ignoreNotFound } from './entities.ts';
import type { KitTools } from './kit-tools.ts';
import { createLazyTools } from './lazy-tools.ts';

type Schemas = components['schemas'];

export type WorldOptions = Schemas['WorldRequest'];

/** A world at a kit, with tools for tests. */
export interface TestWorld extends KitTools, AsyncDisposable {
  readonly name: string;
  /** The base URL of the world's API, without a trailing slash. */
  readonly url: string;
  readonly authUrl: string;
  /** The console's page of this world. */
  readonly consoleUrl: string;
  /** The ready-made access tokens, by name. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly clients: Schemas['CreatedWorld']['clients'];
  /** The ids by collection and alias, such as `world.ids.accounts.northwind`. */
  readonly ids: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly clock: {
    /** Moves this world's time forward. @param by a duration such as `1h30m`, or milliseconds */
    advance(by: number | string): Promise<Schemas['Advanced']>;
  };
  /** Ends the world. Further calls have no effect. */
  close(): Promise<void>;
}

interface WorldContext extends Pick<KitTools, 'control'> {
  /** The kit's address for this process. */
  readonly url: string;
  readonly controlToken: string | undefined;
}

export async function createWorld({ url, controlToken, control }: WorldContext, options: WorldOptions = {}): Promise<TestWorld> {
  const created = await convertUsageError(getResponseData(callOperation(control, 'createWorld', options)));
  const { name, path, tokens, clients, ids } = created;
  const worldUrl = `${url}${path}`;
  const tools = createLazyTools({ url: worldUrl, publicUrl: undefined, hasControl: true, controlToken, fetch });
  let ending: Promise<void> | undefined;
  const end = async () => {
    await tools.close();
    await ignoreNotFound(callOperation(control, 'deleteWorld', { name }));
  };
  const close = () => {
    ending ??= end();
    return ending;
  };
  return {
    ...tools,
    ...{ name, tokens, clients, ids, url: worldUrl, authUrl: `${worldUrl}/auth`, consoleUrl: `${worldUrl}/_console/` },
    clock: { advance: (by) => convertUsageError(getResponseData(callOperation(tools.control, 'advanceClock', { by }))) },
    close,
    [Symbol.asyncDispose]: close,
  };
}
