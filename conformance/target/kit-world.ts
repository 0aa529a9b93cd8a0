import { randomUUID } from 'node:crypto';
import { type Cleanup, TargetUnreachable } from './cleanup.ts';
import { type Control, ControlRefusal } from './control.ts';

export interface KitOptions {
  readonly control: Control;
  /** Tells the worlds of workers apart. */
  readonly name: string;
  readonly cleanup: Cleanup;
  /** The kit is thrown away after the run: nothing has to be removed, and its clock may be moved. */
  readonly disposable: boolean;
  /** Whether deliveries of the kit reach the suite where it listens. */
  readonly canReceive: boolean;
}

/** Seconds for which the suite's tokens are valid: longer than its checks move the kit's clock. */
const TOKEN_LIFETIME_S = 30 * 24 * 3600;

/**
 * A small world of a worker's own in a kit, so that other workers and users of the kit are not in the way. Each part is created when it is first
 * needed, and removed at the end unless the kit is disposable.
 */
export function createKitWorld({ control, name, cleanup, disposable }: KitOptions) {
  const prefix = `${name}-${randomUUID().slice(0, 8)}`;
  // Fifteen digits below an unassigned country code, random enough not to meet those of another worker.
  const numberRange = `+999${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`;
  let numbersUsed = 0;

  const create: Control['create'] = (collection, entity) => {
    if (disposable) return control.create(collection, entity);
    const remove = ({ id }: { readonly id: string }) => ifPresent(() => control.remove(collection, id));
    return cleanup.create(
      () => control.create(collection, entity),
      remove,
      ({ alias }) => `${alias} in ${collection}`,
    );
  };
  const aliasOf = (what: string) => `${prefix}-${what}`;
  const named = async (collection: Parameters<Control['create']>[0], what: string, members: object): Promise<string> =>
    (await create(collection, { alias: aliasOf(what), ...members })).id;

  const provider = once(() => named('providers', 'provider', { name: 'Suite' }));
  const credential = async (what: string) => named('clients', what, { provider: await provider(), name: `Suite ${what}` });
  const account = once(() => named('accounts', 'account', { name: 'Suite account' }));
  const secondAccount = once(() => named('accounts', 'second-account', { name: 'Second suite account' }));
  const crowdedAccount = once(() => named('accounts', 'crowd', { name: 'Crowded suite account' }));
  const grants = async (level: 'read' | 'manage') => ({
    [await account()]: level,
    [await secondAccount()]: level,
    [await crowdedAccount()]: level,
  });
  const newNumber = () => `${numberRange}${String(numbersUsed++).padStart(5, '0')}`;

  return {
    prefix,
    create,
    named,
    provider,
    stranger: once(() => named('providers', 'stranger', { name: 'Another provider' })),
    credential,
    client: once(() => credential('client')),
    account,
    secondAccount,
    crowdedAccount,
    hiddenAccount: once(() => named('accounts', 'hidden-account', { name: 'Hidden suite account' })),
    grants,
    manager: once(async () => named('principals', 'manager', { name: 'Manager', accounts: await grants('manage') })),
    token: (request: Parameters<Control['token']>[0]) => control.token({ expiresIn: TOKEN_LIFETIME_S, ...request }),
    experience: async (what: string, members: object = {}) =>
      named('experiences', what, { provider: await provider(), name: `Suite ${what}`, ...members }),
    user: async (accountId: string, members: object = {}) => (await create('users', { account: accountId, ...members })).id,
    newNumber,
    number: async (accountId: string): Promise<string> => {
      const telephoneNumber = newNumber();
      await create('telephoneNumbers', { alias: telephoneNumber, account: accountId });
      return telephoneNumber;
    },
  };
}

export type KitWorld = ReturnType<typeof createKitWorld>;

/** Removes what may be gone already: a check removed it, or it went with what it belonged to. */
export async function ifPresent(remove: () => Promise<void>): Promise<void> {
  try {
    await remove();
  } catch (error) {
    if (!(error instanceof ControlRefusal)) throw new TargetUnreachable('the control API does not answer any more');
    if (error.status !== 404) throw error;
  }
}

export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
