import { setTimeout as pause } from 'node:timers/promises';
import { eventTypes } from '../../src/contract/generated/events.ts';
import type { Providers } from './arrangement.ts';
import { SCOPES, type Scope } from './capabilities.ts';
import { waitInRealTime } from './check-report.ts';
import { createKitActions } from './kit-actions.ts';
import { createOAuthCapabilities } from './kit-oauth.ts';
import { createKitWorld, type KitOptions } from './kit-world.ts';

const READ_MODEL_WAIT_MS = 5000;
/** The longest time, in milliseconds, until a kit delivers an event, even on a busy machine. */
const MAX_EVENT_MS = 15_000;
/** The time, in milliseconds, to wait for an unwanted event after the kit has finished all deliveries. */
const NO_EVENT_WAIT_MS = 20;
/** Maps a retry schedule to the longest time to wait for a failed delivery's first retry, in milliseconds. */
const MAX_REPEAT_MS: Readonly<Record<string, number>> = { fast: READ_MODEL_WAIT_MS, standard: 5000 + READ_MODEL_WAIT_MS };

/** The largest rounding difference, in milliseconds, between the kit's clock and the suite's clock. */
const CLOCK_ROUNDING_MS = 10;

// More entities than fit on one page: a page contains at most 200 users or 100 other entities.
const SEVERAL_PAGES_OF_USERS = 205;
const SEVERAL_PAGES = 103;

/** Each worker creates its own entities when needed. */
export async function createKitCapabilities(options: KitOptions): Promise<Providers> {
  const { control, disposable } = options;
  const { decisions, settings } = await control.info();
  const world = createKitWorld(options);
  const { account, secondAccount, hiddenAccount, crowdedAccount, client, manager, provider, stranger, experience, user } = world;
  const lag = Number(decisions['users.list.read-model-lag']);
  const listLag = Number(decisions['lists.read-model-lag']);
  const isPatientEnough = lag <= READ_MODEL_WAIT_MS;
  const repeatMs = MAX_REPEAT_MS[String(settings.retries ?? decisions['events.delivery.retry-schedule'])];
  const isSignedAtWallTime =
    decisions['events.delivery.signature'] === 'standard-webhooks' && decisions['events.delivery.signed-timestamp'] === 'wall-time';
  const sortFields =
    decisions['users.list.sort-fields'] === 'createdAt' ? ['createdAt'] : ['createdAt', 'updatedAt', 'firstName', 'lastName'];

  const createToken = async (principal: string, scopes = SCOPES) => world.token({ client: await client(), principal, scopes });
  const createManagerToken = async (scopes?: Scope[]) => createToken(await manager(), scopes);
  const createClientToken = async (label: string) =>
    world.token({ client: await world.owned('clients', label), principal: await manager() });
  const createPrincipal = (label: string, members: object = {}) => world.named('principals', label, members);
  const omitScope = (scope: Scope) => SCOPES.filter((other) => other !== scope);
  let unusedClients = 0;

  /** Connects the Experience only if assignments require it, because checks expect new accounts to be empty. */
  async function connectIfRequired(experienceId: string, accountIds: readonly string[]): Promise<string> {
    if (decisions['assignments.create.needs-connection'] === 'no') return experienceId;
    for (const id of accountIds)
      await world.create('connections', { alias: `${experienceId} ${id}`, account: id, experience: experienceId });
    return experienceId;
  }
  const createAssignableExperience = async (label: string, members?: object) =>
    connectIfRequired(await experience(label, members), [await account(), await secondAccount()]);

  const createRandomDigits = () => String(Math.floor(Math.random() * 1e14) + 1e14);
  const createUserWithNativeId = async (style: 'base62' | 'legacy-numeric', nativeId: string) => ({
    nativeId,
    unifiedId: await user(await account(), { nativeIds: [{ style, id: nativeId }] }),
  });

  return {
    ...createKitActions(world, settings.destinations === 'strict', options),
    ...createOAuthCapabilities(world, options),
    token: () => createManagerToken(),
    'token.reader': async () => createToken(await createPrincipal('reader', { name: 'Reader', accounts: await world.grants('read') })),
    'token.outsider': async () => createToken(await createPrincipal('outsider', { name: 'Outsider' })),
    'token.second-credential': () => createClientToken('second-client'),
    'token.unused-credential': () => () => createClientToken(`unused-client-${unusedClients++}`),
    'token.without-scope': async () => {
      const tokens = SCOPES.map(async (scope) => [scope, await createManagerToken(omitScope(scope))] as const);
      return Object.fromEntries(await Promise.all(tokens)) as Record<Scope, string>;
    },
    'token.without-claim': async () => world.token({ client: await client() }),
    'token.without-claim-and-scope': async () => world.token({ client: await client(), scopes: omitScope('users:manage') }),
    'token.expired': async () => control.token({ client: await client(), principal: await manager(), kind: 'expired' }),
    write: () => true,
    rate: () => true,
    account,
    'account.second': secondAccount,
    'account.hidden': hiddenAccount,
    ...(isPatientEnough && {
      'account.many-users': async () => {
        const id = await crowdedAccount();
        const createNames = (index: number) => (index % 7 === 0 ? {} : { firstName: `First ${index % 50}`, lastName: `Last ${index}` });
        const users = Array.from({ length: SEVERAL_PAGES_OF_USERS }, (_, index) => ({ account: id, ...createNames(index) }));
        await world.namedAll('users', 'crowd', users);
        // The users list shows new users only after the read model's lag.
        await pause(lag);
        return id;
      },
      'users.read-model-bound': () => lag + 2000,
    }),
    ...(listLag > 0 && { 'lists.bound': () => listLag + CLOCK_ROUNDING_MS }),
    'account.many-connections': async () => {
      const id = await crowdedAccount();
      const owner = await provider();
      const experiences = Array.from({ length: SEVERAL_PAGES }, (_, index) => ({ provider: owner, name: `Suite connected-${index}` }));
      const connected = await world.namedAll('experiences', 'connected', experiences);
      await Promise.all(
        connected.map((each, index) => world.named('connections', `connection-${index}`, { account: id, experience: each })),
      );
      await pause(listLag);
      return id;
    },
    'assignments.many': async () => {
      const accountId = await crowdedAccount();
      const experienceId = await connectIfRequired(await experience('widely-assigned'), [accountId]);
      const assignments = (await world.numbers(accountId, SEVERAL_PAGES)).map((target, index) =>
        world.named('assignments', `wide-${index}`, { experience: experienceId, targetType: 'PHONE_NUMBER', target }),
      );
      await Promise.all(assignments);
      await pause(listLag);
      return { accountId, experienceId, count: SEVERAL_PAGES };
    },
    experience: () => createAssignableExperience('experience'),
    'experience.second': () => createAssignableExperience('second-experience'),
    'experience.agent': () => createAssignableExperience('agent', { type: 'AGENT' }),
    'experience.second-agent': () => createAssignableExperience('second-agent', { type: 'AGENT' }),
    'experience.read-only': async () => experience('read-only', { provider: await stranger(), levels: { [await provider()]: 'read' } }),
    'experience.hidden': async () => experience('hidden', { provider: await stranger() }),
    'experience.facts': () => async (experienceId) => {
      const { name, provider: owner } = (await control.find('experiences', experienceId)) ?? {};
      const { id } = (await control.find('providers', String(owner))) ?? {};
      return { name: String(name), providerId: String(id) };
    },
    'number.second-account': async () => world.numberOf(await secondAccount())(),
    'user.hidden': async () => user(await hiddenAccount()),
    'user.base62': () => createUserWithNativeId('base62', `Su1te_${world.prefix.slice(-8)}`),
    'user.legacy-numeric': () => createUserWithNativeId('legacy-numeric', createRandomDigits()),
    'user.ambiguous': async () => {
      const nativeId = createRandomDigits();
      const [legacyNumeric, base62] = [
        await createUserWithNativeId('legacy-numeric', nativeId),
        await createUserWithNativeId('base62', nativeId),
      ];
      return { nativeId, legacyNumeric: legacyNumeric.unifiedId, base62: base62.unifiedId };
    },
    'users.sort': () => ({ fields: Object.fromEntries(sortFields.map((field) => [field, field])), ascending: 'asc', descending: 'desc' }),
    'bodies.connectionCreate': () => ({ accountId: '{{accountId}}', experienceId: '{{experienceId}}', state: '{{state?}}' }),
    'bodies.connectionUpdate': () => ({ state: '{{state}}' }),
    'events.patience': () => ({ eventMs: MAX_EVENT_MS, graceMs: NO_EVENT_WAIT_MS }),
    'events.delivered-within': () => MAX_EVENT_MS,
    ...(repeatMs !== undefined && { 'events.repeats': () => repeatMs }),
    'events.tls': () => 'own',
    'events.reach': () => async (destinationUrl) => {
      const { id } = await control.create('subscriptions', { destinationUrl, types: eventTypes, provider: await provider() });
      try {
        return await control.sendTestDelivery(id);
      } finally {
        await control.remove('subscriptions', id);
      }
    },
    'events.idle': () => control.isIdle,
    'events.now': () => control.now,
    'events.sent-now': () => (isSignedAtWallTime ? async () => Date.now() : control.now),
    // Advance the clock only in a disposable kit, because tokens of all clients may expire.
    ...(disposable
      ? { 'clock.advance': () => control.advance, 'clock.wait': () => control.advance }
      : { 'clock.wait': () => waitInRealTime }),
  };
}
