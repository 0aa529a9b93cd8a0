import { randomUUID } from 'node:crypto';
import { type Cleanup, TargetUnreachable } from './cleanup.ts';
import { type Control, ControlRefusal } from './control.ts';

export interface KitOptions {
  readonly control: Control;
  /** The worker's name. The aliases of its entities start with the name, so that workers do not share entities. */
  readonly name: string;
  readonly cleanup: Cleanup;
  /** Whether the kit stops at the end of the run. If so, no cleanup is needed, and its clock may be moved. */
  readonly disposable: boolean;
  readonly canReceive: boolean;
}

type Collection = Parameters<Control['create']>[0];

/** The lifetime of tokens for checks, in seconds. It is long, so that tokens stay valid when checks advance the kit's clock. */
const TOKEN_LIFETIME_S = 30 * 24 * 3600;

/** Creates a worker's entities when a check first needs them. Removes them at the end, unless the kit is disposable. */
export function createKitWorld({ control, name, cleanup, disposable }: KitOptions) {
  const prefix = `${name}-${randomUUID().slice(0, 8)}`;
  // Use numbers of international networks (+883), because their 15 digits leave room for a random range for each worker.
  const numberRange = `+8831${String(Math.floor(Math.random() * 1e6)).padStart(6, '0')}`;
  let numbersUsed = 0;

  const track: Cleanup['createAndTrack'] = disposable ? (createEntities) => createEntities() : cleanup.createAndTrack;
  const create: Control['create'] = (collection, entity) =>
    track(
      () => control.create(collection, entity),
      ({ id }) => ignoreNotFound(() => control.remove(collection, id)),
      ({ alias }) => `${alias} in ${collection}`,
    );
  const createAll: Control['createAll'] = (collection, entities) =>
    track(
      () => control.createAll(collection, entities),
      async (ids) => {
        for (const id of ids.toReversed()) await ignoreNotFound(() => control.remove(collection, id));
      },
      (ids) => `${ids.length} entities in ${collection}: ${ids.join(', ')}`,
    );
  const createAlias = (label: string) => `${prefix}-${label}`;
  const createNamed = async (collection: Collection, label: string, members: object): Promise<string> =>
    (await create(collection, { alias: createAlias(label), ...members })).id;

  const provider = callOnce(() => createNamed('providers', 'provider', { name: 'Suite' }));
  /** Creates an entity of the suite's provider. */
  const createOwned = async (collection: Collection, label: string, members: object = {}) =>
    createNamed(collection, label, { provider: await provider(), name: `Suite ${label}`, ...members });
  const account = callOnce(() => createNamed('accounts', 'account', { name: 'Suite account' }));
  const secondAccount = callOnce(() => createNamed('accounts', 'second-account', { name: 'Suite account 2' }));
  const crowdedAccount = callOnce(() => createNamed('accounts', 'crowd', { name: 'Suite account with many entities' }));
  const createGrants = async (level: 'read' | 'manage') => ({
    [await account()]: level,
    [await secondAccount()]: level,
    [await crowdedAccount()]: level,
  });
  let experiencesUsed = 0;
  const createNumber = () => `${numberRange}${String(numbersUsed++).padStart(5, '0')}`;

  const createNumbers = (accountId: string, count: number) =>
    createAll(
      'telephoneNumbers',
      Array.from({ length: count }, () => ({ alias: createNumber(), account: accountId })),
    );

  return {
    prefix,
    create,
    named: createNamed,
    provider,
    stranger: callOnce(() => createNamed('providers', 'stranger', { name: 'Another provider' })),
    owned: createOwned,
    client: callOnce(() => createOwned('clients', 'client')),
    account,
    secondAccount,
    crowdedAccount,
    hiddenAccount: callOnce(() => createNamed('accounts', 'hidden-account', { name: 'Hidden suite account' })),
    grants: createGrants,
    manager: callOnce(async () => createNamed('principals', 'manager', { name: 'Manager', accounts: await createGrants('manage') })),
    token: (request: Parameters<Control['token']>[0]) => control.token({ expiresIn: TOKEN_LIFETIME_S, ...request }),
    experience: (label: string, members?: object) => createOwned('experiences', label, members),
    newExperience: createPool(async (count) => {
      const names = Array.from({ length: count }, () => `unconnected-${experiencesUsed++}`);
      const owner = await provider();
      const entities = names.map((label) => ({ alias: createAlias(label), provider: owner, name: `Suite ${label}` }));
      return createAll('experiences', entities);
    }),
    namedAll: (collection: Collection, label: string, all: readonly object[]) =>
      createAll(
        collection,
        all.map((members, index) => ({ alias: createAlias(`${label}-${index}`), ...members })),
      ),
    user: async (accountId: string, members: object = {}) => (await create('users', { account: accountId, ...members })).id,
    newNumber: createNumber,
    numbers: createNumbers,
    numberOf: (accountId: string) => createPool((count) => createNumbers(accountId, count)),
  };
}

export type KitWorld = ReturnType<typeof createKitWorld>;

/** Ignores a 404, because a check may already have removed the entity. */
export async function ignoreNotFound(remove: () => Promise<void>): Promise<void> {
  try {
    await remove();
  } catch (error) {
    if (!(error instanceof ControlRefusal)) throw new TargetUnreachable('the control API has stopped responding');
    if (error.status !== 404) throw error;
  }
}

const POOL_SIZE = 20;

/** Returns a function that returns a new entity on each call. If none is left, the function creates POOL_SIZE entities. */
function createPool(create: (count: number) => Promise<readonly string[]>): () => Promise<string> {
  let filling = Promise.resolve<string[]>([]);
  return () => {
    filling = filling.catch(() => []).then((left) => (left.length > 0 ? left : create(POOL_SIZE).then((ids) => [...ids])));
    return filling.then((left) => left.shift()!);
  };
}

function callOnce<T>(createValue: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= createValue());
}
