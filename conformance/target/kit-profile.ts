import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import type { NativeUser, Scope } from './capabilities.ts';
import type { Control, KitInfo } from './control.ts';
import type { KitWorld } from './kit-world.ts';
import type { TargetProfile } from './profile.ts';

const SCOPES = [...new Set(Object.keys(operations).map((id) => operations[id as OperationId].scope))] as Scope[];

/** How long the suite waits for a kit, in milliseconds: for its read model, and for an event. */
const PATIENCE_MS = 5000;
/** When no delivery is pending, what was sent has arrived. */
const GRACE_MS = 20;
/** How soon each schedule of a kit repeats a delivery, in milliseconds: its first pause, and the patience for an event. */
const REPEAT_MS: Readonly<Record<string, number>> = { fast: PATIENCE_MS, standard: 5000 + PATIENCE_MS };

// More than a page each.
const MANY_USERS = 205;
const MANY = 103;

// Nothing listens there: redirects to it are read and not followed.
const REDIRECT_URI = 'http://127.0.0.1:3000/callback';

/** The profile of a kit, whose members are created in a world of the worker's own. */
export function kitProfile(world: KitWorld, control: Control, { decisions, settings }: KitInfo): TargetProfile {
  const { account, secondAccount, crowdedAccount, hiddenAccount, client, manager, provider, stranger, experience, user, number } = world;
  const lag = Number(decisions['users.list.read-model-lag']);
  const isPatientEnough = lag <= PATIENCE_MS;
  const retries = String(settings.retries ?? decisions['events.delivery.retry-schedule']);
  const repeatMs = REPEAT_MS[retries];

  const principal = async (what: string, members: object = {}): Promise<string> => world.named('principals', what, members);
  const tokenOf = async (principalId: Promise<string>) => world.token({ client: await client(), principal: await principalId });
  const without = async (scope: Scope) =>
    [
      scope,
      await world.token({ client: await client(), principal: await manager(), scopes: SCOPES.filter((other) => other !== scope) }),
    ] as const;

  /** Connects the Experience to accounts if the kit requires that of an assignment. Otherwise accounts stay as empty as checks expect them. */
  async function assignable(experienceId: string, accountIds: readonly string[]): Promise<string> {
    if (decisions['assignments.create.needs-connection'] === 'no') return experienceId;
    for (const id of accountIds)
      await world.create('connections', { alias: `${experienceId} ${id}`, account: id, experience: experienceId });
    return experienceId;
  }
  const assignableExperience = async (what: string, members?: object): Promise<string> =>
    assignable(await experience(what, members), [await account(), await secondAccount()]);

  async function manyUsers(): Promise<string> {
    const id = await crowdedAccount();
    await many(MANY_USERS, (index) => user(id, index % 7 === 0 ? {} : { firstName: `First ${index % 50}`, lastName: `Last ${index}` }));
    // The list shows them after the lag.
    await pause(lag);
    return id;
  }
  async function manyConnections(): Promise<string> {
    const id = await crowdedAccount();
    const connected = await many(MANY, (index) => experience(`connected-${index}`));
    await many(MANY, (index) =>
      world.create('connections', { alias: world.aliasOf(`connection-${index}`), account: id, experience: connected[index] }),
    );
    return id;
  }
  async function manyAssignments() {
    const accountId = await crowdedAccount();
    const experienceId = await assignable(await experience('widely-assigned'), [accountId]);
    await many(MANY, async (index) => {
      const target = await number(accountId);
      const alias = world.aliasOf(`wide-${index}`);
      await world.create('assignments', { alias, experience: experienceId, targetType: 'PHONE_NUMBER', target });
    });
    return { accountId, experienceId, count: MANY };
  }

  const digits = () => String(Math.floor(Math.random() * 1e14) + 1e14);
  const native = async (style: 'base62' | 'legacy-numeric', nativeId: string): Promise<NativeUser> => ({
    nativeId,
    unifiedId: await user(await account(), { nativeIds: [{ style, id: nativeId }] }),
  });

  async function secretClient() {
    const secret = `suite-secret-${randomUUID()}`;
    const members = { provider: await provider(), name: 'Suite, by secret', secret, redirectUris: [REDIRECT_URI] };
    return { id: await world.named('clients', 'secret-client', members), secret, redirectUri: REDIRECT_URI };
  }
  async function keyClient() {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const parameters = { kid: 'suite', alg: 'ES256', use: 'sig' };
    const secret = `suite-secret-${randomUUID()}`;
    const publicJwk = { ...publicKey.export({ format: 'jwk' }), ...parameters };
    const members = { provider: await provider(), name: 'Suite, by key', secret, publicKey: publicJwk, redirectUris: [REDIRECT_URI] };
    return {
      id: await world.named('clients', 'key-client', members),
      privateKey: { ...privateKey.export({ format: 'jwk' }), ...parameters },
      audience: await control.tokenEndpoint(),
      redirectUri: REDIRECT_URI,
      secret,
    };
  }

  const sortFields =
    decisions['users.list.sort-fields'] === 'createdAt' ? ['createdAt'] : ['createdAt', 'updatedAt', 'firstName', 'lastName'];

  return {
    allow: { write: true, rate: true },
    tokens: {
      full: () => tokenOf(manager()),
      reader: async () => tokenOf(principal('reader', { name: 'Reader', accounts: await world.grants('read') })),
      outsider: () => tokenOf(principal('outsider', { name: 'Outsider' })),
      secondCredential: async () => world.token({ client: await world.credential('second-client'), principal: await manager() }),
      withoutScope: async () => Object.fromEntries(await Promise.all(SCOPES.map(without))) as Record<Scope, string>,
      withoutClaim: async () => world.token({ client: await client() }),
      withoutClaimAndScope: async () => world.token({ client: await client(), scopes: SCOPES.filter((scope) => scope !== 'users:manage') }),
      expired: async () => control.token({ client: await client(), principal: await manager(), kind: 'expired' }),
    },
    accounts: {
      main: account,
      second: secondAccount,
      hidden: hiddenAccount,
      manyUsers: isPatientEnough ? manyUsers : undefined,
      manyConnections,
    },
    experiences: {
      main: () => assignableExperience('experience'),
      second: () => assignableExperience('second-experience'),
      agent: () => assignableExperience('agent', { type: 'AGENT' }),
      secondAgent: () => assignableExperience('second-agent', { type: 'AGENT' }),
      readOnly: async () => experience('read-only', { provider: await stranger(), levels: { [await provider()]: 'read' } }),
      hidden: async () => experience('hidden', { provider: await stranger() }),
    },
    numberOfSecondAccount: async () => number(await secondAccount()),
    manyAssignments,
    users: {
      hidden: async () => user(await hiddenAccount()),
      base62: () => native('base62', `Su1te_${world.prefix.slice(-8)}`),
      legacyNumeric: () => native('legacy-numeric', digits()),
      ambiguous: async () => {
        const nativeId = digits();
        const [legacyNumeric, base62] = [await native('legacy-numeric', nativeId), await native('base62', nativeId)];
        return { nativeId, legacyNumeric: legacyNumeric.unifiedId, base62: base62.unifiedId };
      },
      sort: { fields: Object.fromEntries(sortFields.map((field) => [field, field])), ascending: 'asc', descending: 'desc' },
      readModelBoundMs: isPatientEnough ? lag + 2000 : undefined,
    },
    bodies: {
      connectionCreate: { accountId: '{{accountId}}', experienceId: '{{experienceId}}', state: '{{state?}}' },
      connectionUpdate: { state: '{{state}}' },
    },
    authorization: {
      secretClient,
      keyClient,
      loginHint: async () => {
        const telephoneNumber = world.newNumber();
        await principal('consenter', { name: 'Suite consenter', telephoneNumber, accounts: await world.grants('manage') });
        return telephoneNumber;
      },
    },
    events: {
      patienceSeconds: PATIENCE_MS / 1000,
      graceSeconds: GRACE_MS / 1000,
      // A kit that never repeats deliveries is not tested for how it repeats them.
      repeatsWithinSeconds: repeatMs === undefined ? undefined : repeatMs / 1000,
    },
  };
}

function many<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => make(index)));
}
