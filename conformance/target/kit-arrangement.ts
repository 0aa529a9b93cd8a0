import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import { type Arrangement, createArrangement, NotTestable, type Providers } from './arrangement.ts';
import type { Scope } from './capabilities.ts';
import type { Cleanup } from './cleanup.ts';
import type { Control } from './control.ts';
import { kitAuthorization } from './kit-authorization.ts';
import { kitEvents } from './kit-events.ts';
import { isLoopback } from './loopback.ts';
import { rememberingControl } from './remembering-control.ts';

const SCOPES = [...new Set(Object.keys(operations).map((id) => operations[id as OperationId].scope))] as Scope[];

/** How long the suite waits for a kit's read model. */
const PATIENCE_MS = 5000;

/** Seconds that the suite's tokens are good for: longer than its checks of time move the kit's. */
const LONG_S = 30 * 24 * 3600;

/**
 * Everything at a kit: a small world of the suite's own, made through the control API, so that neither other workers nor whoever else uses the
 * kit are in the way. It is removed at the end. @param name distinguishes the worlds of workers. @param disposable says that the kit itself is
 * thrown away afterwards, and that nothing has to be removed. @param isHeard whether the kit reaches the suite where it listens
 */
export function kitArrangement(
  given: Control,
  name: string,
  cleanup: Cleanup,
  disposable = false,
  isHeard = isLoopback(given.url),
): Arrangement {
  const control = disposable ? given : rememberingControl(given, cleanup);
  const own = `${name}-${randomUUID().slice(0, 8)}`;
  let numbers = 0;
  // Numbers of a range that is set aside for fiction nowhere: fifteen digits, and random enough not to meet those of another worker.
  const range = `+999${String(Math.floor(Math.random() * 1e7)).padStart(7, '0')}`;
  const named = (what: string) => `${own}-${what}`;
  const made = async (collection: Parameters<Control['create']>[0], what: string, entity: object): Promise<string> =>
    (await control.create(collection, { alias: named(what), ...entity })).id;

  const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
    let promise: Promise<T> | undefined;
    return () => (promise ??= make());
  };
  const provider = once(() => made('providers', 'provider', { name: 'Suite' }));
  const stranger = once(() => made('providers', 'stranger', { name: 'Another provider' }));
  const credential = async (what: string) => made('clients', what, { provider: await provider(), name: `Suite ${what}` });
  const client = once(() => credential('client'));
  const secondClient = once(() => credential('second-client'));
  const account = once(() => made('accounts', 'account', { name: 'Suite account' }));
  const second = once(() => made('accounts', 'second-account', { name: 'Second suite account' }));
  const crowd = once(() => made('accounts', 'crowd', { name: 'Crowded suite account' }));
  const hidden = once(() => made('accounts', 'hidden-account', { name: 'Hidden suite account' }));
  const grants = async (level: 'read' | 'manage') => ({ [await account()]: level, [await second()]: level, [await crowd()]: level });
  const manager = once(async () => made('principals', 'manager', { name: 'Manager', accounts: await grants('manage') }));
  const reader = once(async () => made('principals', 'reader', { name: 'Reader', accounts: await grants('read') }));
  const outsider = once(() => made('principals', 'outsider', { name: 'Outsider' }));
  const experience = async (what: string, members: object = {}): Promise<string> =>
    made('experiences', what, { provider: await provider(), name: `Suite ${what}`, ...members });
  const user = async (accountId: string, members: object = {}): Promise<string> =>
    (await control.create('users', { account: accountId, ...members })).id;
  const many = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => make(index)));
  const needsConnection = once(async () => (await control.decisions())['assignments.create.needs-connection'] !== 'no');
  // Only where the kit was told so: elsewhere an account that nobody connected stays as empty as checks of connections find it.
  const assignable = async (experienceId: string, accountIds: readonly string[]): Promise<string> => {
    if (!(await needsConnection())) return experienceId;
    for (const id of accountIds)
      await control.create('connections', { alias: `${experienceId} ${id}`, account: id, experience: experienceId });
    return experienceId;
  };
  const target = async (what: string, members?: object): Promise<string> =>
    assignable(await experience(what, members), [await account(), await second()]);
  const lag = once(async () => Number((await control.decisions())['users.list.read-model-lag']));
  const freshNumber = () => `${range}${String(numbers++).padStart(5, '0')}`;
  const number = async (accountId: string): Promise<string> => {
    const telephoneNumber = freshNumber();
    await control.create('telephoneNumbers', { alias: telephoneNumber, account: accountId });
    return telephoneNumber;
  };

  const token = (request: Parameters<Control['token']>[0]) => control.token({ expiresIn: LONG_S, ...request });

  const digits = () => String(Math.floor(Math.random() * 1e14) + 1e14);

  const providers: Providers = {
    token: async () => token({ client: await client(), principal: await manager() }),
    'token.reader': async () => token({ client: await client(), principal: await reader() }),
    'token.outsider': async () => token({ client: await client(), principal: await outsider() }),
    'token.second-credential': async () => token({ client: await secondClient(), principal: await manager() }),
    'token.unused-credential': () => {
      let taken = 0;
      return async () => token({ client: await credential(`unused-client-${taken++}`), principal: await manager() });
    },
    'token.without-scope': async () => {
      const without = async (scope: Scope) =>
        [
          scope,
          await token({ client: await client(), principal: await manager(), scopes: SCOPES.filter((other) => other !== scope) }),
        ] as const;
      return Object.fromEntries(await Promise.all(SCOPES.map(without))) as Record<Scope, string>;
    },
    'token.without-claim': async () => token({ client: await client() }),
    'token.without-claim-and-scope': async () =>
      token({ client: await client(), scopes: SCOPES.filter((scope) => scope !== 'users:manage') }),
    'token.expired': async () => control.token({ client: await client(), principal: await manager(), kind: 'expired' }),
    write: () => true,
    rate: () => true,
    account,
    'account.any': account,
    'account.second': second,
    'account.hidden': hidden,
    'account.many-users': async () => {
      const id = await crowd();
      await many(205, (index) => user(id, index % 7 === 0 ? {} : { firstName: `First ${index % 50}`, lastName: `Last ${index}` }));
      // The list shows them after the lag. Who lets a kit lag for longer does not want to wait for it here.
      const ms = await lag();
      if (ms > PATIENCE_MS) throw new NotTestable('account.many-users');
      await pause(ms);
      return id;
    },
    'account.many-connections': async () => {
      const id = await crowd();
      const connected = await many(103, (index) => experience(`connected-${index}`));
      await many(connected.length, (index) =>
        control.create('connections', { alias: named(`connection-${index}`), account: id, experience: connected[index] }),
      );
      return id;
    },
    experience: () => target('experience'),
    'experience.any': ({ need }) => need('experience'),
    'experience.second': () => target('second-experience'),
    'experience.agent': () => target('agent', { type: 'AGENT' }),
    'experience.second-agent': () => target('second-agent', { type: 'AGENT' }),
    'experience.read-only': async () => experience('read-only', { provider: await stranger(), levels: { [await provider()]: 'read' } }),
    'experience.hidden': async () => experience('hidden', { provider: await stranger() }),
    'experiences.unconnected': () => {
      let taken = 0;
      return () => experience(`unconnected-${taken++}`);
    },
    numbers: async () => {
      const id = await account();
      return () => number(id);
    },
    'number.any': async () => number(await account()),
    'number.second-account': async () => number(await second()),
    users: async () => {
      const id = await account();
      return () => user(id);
    },
    'user.any': async () => user(await account()),
    'user.hidden': async () => user(await hidden()),
    'user.base62': async () => native(await account(), 'base62', `Su1te_${own.slice(-8)}`),
    'user.legacy-numeric': async () => native(await account(), 'legacy-numeric', digits()),
    'user.ambiguous': async () => {
      const nativeId = digits();
      const of = async (style: string) => (await native(await account(), style, nativeId)).unifiedId;
      return { nativeId, legacyNumeric: await of('legacy-numeric'), base62: await of('base62') };
    },
    'assignments.many': async () => {
      const accountId = await crowd();
      const experienceId = await assignable(await experience('widely-assigned'), [accountId]);
      const count = 103;
      await many(count, async (index) =>
        control.create('assignments', {
          alias: named(`wide-${index}`),
          experience: experienceId,
          targetType: 'PHONE_NUMBER',
          target: await number(accountId),
        }),
      );
      return { accountId, experienceId, count };
    },
    'bodies.connectionCreate': () => ({ accountId: '{{accountId}}', experienceId: '{{experienceId}}', state: '{{state?}}' }),
    'bodies.connectionUpdate': () => ({ state: '{{state}}' }),
    'users.sort': async () => {
      const only = (await control.decisions())['users.list.sort-fields'] === 'createdAt';
      const fields = { createdAt: 'createdAt', ...(!only && { updatedAt: 'updatedAt', firstName: 'firstName', lastName: 'lastName' }) };
      return { fields, ascending: 'asc', descending: 'desc' };
    },
    'users.read-model-bound': async () => {
      const ms = await lag();
      if (ms > PATIENCE_MS) throw new NotTestable('users.read-model-bound');
      return ms + 2000;
    },
    'fault.users': () => async (operation, status) => {
      const fault = status === 503 ? ({ fault: 'authorization-service-down' } as const) : ({ fault: 'problem', status } as const);
      await control.fault({ ...fault, operation, times: 1 });
    },
    'platform.users': () => ({
      create: (accountId, names = {}) => user(accountId, names),
      rename: (userId, firstName) => control.change('users', userId, { firstName }),
      remove: (userId) => control.remove('users', userId),
    }),
    ...kitEvents({ control, provider, manager, isHeard, number }),
    ...kitAuthorization({ control, made, provider, grants: () => grants('manage'), freshNumber, disposable }),
  };
  return createArrangement(providers);

  async function native(accountId: string, style: string, nativeId: string) {
    return { nativeId, unifiedId: await user(accountId, { nativeIds: [{ style, id: nativeId }] }) };
  }
}
