import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import { isUuid } from '../../src/contract/uuid.ts';
import { isObject } from '../../src/expect/response.ts';
import { type ActionName, Names, type ReceivedEvent, type Side, type TokenName } from '../../src/oracle/side.ts';
import type { Cast, Target } from '../../src/oracle/world.ts';
import { INVALID_TOKEN } from '../../src/refusals/opaque-values.ts';
import type { Arrangement } from '../target/arrangement.ts';
import type { Capabilities, Capability, Scope } from '../target/capabilities.ts';
import { type BodyTemplate, fillTemplate, findPlaceholder } from '../target/template.ts';
import type { Client } from './api-client.ts';
import type { Mailbox } from './receiver.ts';
import { BODY_TEMPLATES } from './sample-calls.ts';

/** One server, as the explorer needs it. */
export interface Server {
  readonly arrangement: Arrangement;
  readonly api: Client;
  /** The mailboxes of the server's subscriptions, by name. */
  readonly mailboxes: Readonly<Record<string, Mailbox>>;
}

const ACTIONS = ['portal', 'platform'].flatMap((origin) => [`${origin}.connections`, `${origin}.assignments`, `${origin}.users`]);
const ACTION_CAPABILITIES = [...ACTIONS, 'platform.accounts', 'platform.numbers'] as Capability[];
const ODD_TOKENS = { expired: 'token.expired', 'no claim': 'token.without-claim' } as const;
const TOKENS = { manager: 'token', reader: 'token.reader', outsider: 'token.outsider' } as const;
/** The number of Experiences, numbers and users that a sequence uses. */
const EXPERIENCES = 3;
const TARGETS = 2;

export async function openSide({ arrangement, api, mailboxes }: Server): Promise<Side> {
  // Read before the first call, because requests at the same moment must be sent in their order.
  const templates: { [Operation in OperationId]?: BodyTemplate } = {};
  for (const [operation, capability] of Object.entries(BODY_TEMPLATES))
    templates[operation as OperationId] = await arrangement.need(capability);
  const tokens = new Map<TokenName, string>();
  tokens.set('invalid', INVALID_TOKEN);
  const withoutScope = arrangement.has('token.without-scope') ? await arrangement.need('token.without-scope') : undefined;
  const findToken = (as: TokenName, operation: OperationId) =>
    as === 'no scope' ? withoutScope?.[operations[operation].scope as Scope] : tokens.get(as);
  for (const [name, capability] of Object.entries({ ...TOKENS, ...ODD_TOKENS }))
    if (arrangement.has(capability)) tokens.set(name as TokenName, (await arrangement.need(capability)) as string);
  const events: ReceivedEvent[] = [];
  for (const [subscription, mailbox] of Object.entries(mailboxes))
    mailbox.setReaction(({ headers, json }) => {
      events.push({ subscription, webhookId: headers['webhook-id'], json });
      return undefined;
    });
  return {
    async call(operation, { as, body, ...request }) {
      const template = templates[operation];
      const initial = template && findPlaceholder(template, 'state') === 'required' ? { state: 'INACTIVE' } : {};
      const filled = template === undefined || !isObject(body) ? body : fillTemplate(template, { ...initial, ...body });
      // A sequence does not wait until the rate limit permits another check.
      const send = operation === 'getExperienceAssignability' ? api.callOnce : api.call;
      return send(operation, { ...request, token: findToken(as, operation), ...(body !== undefined && { body: filled }) });
    },
    async act(name, args) {
      const [place, collection, action] = name.split('.') as [string, string, string];
      const actions = (await arrangement.need(`${place}.${collection}` as Capability)) as Readonly<
        Record<string, (...args: readonly unknown[]) => Promise<string>>
      >;
      const id = (await actions[action]!(...args)) ?? '';
      // An operator may write an id in another letter case than the API.
      return isUuid(id) ? id.toLowerCase() : id;
    },
    ...(arrangement.has('fault.authorization') && { failAuthorization: await arrangement.need('fault.authorization') }),
    events,
    waitForEvent: async (ms) =>
      void (await Promise.race([
        ...Object.values(mailboxes).map((box) => box.waitForDelivery(ms)),
        new Promise((resolve) => setTimeout(resolve, ms)),
      ])),
  };
}

/** Chooses the entities that the sequences use, and gives each a name. Both servers must provide what the target provides. */
export async function createCast(target: Arrangement, twin: Arrangement): Promise<{ readonly names: Names; readonly cast: Cast }> {
  const names = new Names();
  const define = async <C extends Capability>(
    name: string,
    capability: C,
    read: (value: Capabilities[C]) => string | Promise<string> = String,
  ): Promise<string | undefined> => {
    if (!target.has(capability)) return undefined;
    names.define(`«${name}»`, await read(await target.need(capability)), await read(await twin.need(capability)));
    return `«${name}»`;
  };
  const take = async (count: number, noun: string, capability: 'experiences.unconnected' | 'numbers' | 'users') =>
    present(await Promise.all(Array.from({ length: count }, (_, index) => define(`${noun} ${index + 1}`, capability, (pick) => pick()))));
  const main = await define('account 1', 'account');
  const second = await define('account 2', 'account.second');
  const toTargets = (all: readonly (string | undefined)[], type: Target['type'], account: string | undefined): Target[] =>
    account === undefined ? [] : present(all).map((name) => ({ name, type, account }));
  const defineNative = async (name: string, capability: 'user.base62' | 'user.legacy-numeric'): Promise<Target[]> => {
    const user = await define(name, capability, ({ unifiedId }) => unifiedId);
    const nativeId = await define(`native id of ${name}`, capability, ({ nativeId: id }) => id);
    return user === undefined || main === undefined ? [] : [{ name: user, type: 'USER', account: main, nativeIds: present([nativeId]) }];
  };
  const { fields = {} } = target.has('users.sort') ? await target.need('users.sort') : {};
  const sortFields = (Object.keys(fields) as (keyof typeof fields)[]).map((field) =>
    define(`sort by ${field}`, 'users.sort', (sort) => sort.fields[field]!),
  );
  const sortOrders = (['ascending', 'descending'] as const).map((order) => define(order, 'users.sort', (sort) => sort[order]));
  const sort = { fields: present(await Promise.all(sortFields)), orders: present(await Promise.all(sortOrders)) };
  const numbers = toTargets(await take(TARGETS, 'number', 'numbers'), 'PHONE_NUMBER', main);
  const users = toTargets(await take(TARGETS, 'user', 'users'), 'USER', main);
  const cast: Cast = {
    accounts: present([main, second]),
    hiddenAccount: await define('hidden account', 'account.hidden'),
    experiences: await take(EXPERIENCES, 'experience', 'experiences.unconnected'),
    connectable: [],
    occupied: new Map(),
    agents: present([
      await define('AGENT experience 1', 'experience.agent'),
      await define('AGENT experience 2', 'experience.second-agent'),
    ]),
    readOnlyExperience: await define('read-only experience', 'experience.read-only'),
    hiddenExperience: await define('hidden experience', 'experience.hidden'),
    // Commands choose the first ones more often.
    targets: [
      ...numbers.slice(0, 1),
      ...toTargets([main], 'ACCOUNT', main),
      ...users.slice(0, 1),
      ...toTargets([await define('number of account 2', 'number.second-account')], 'PHONE_NUMBER', second),
      ...toTargets([second], 'ACCOUNT', second),
      ...numbers.slice(1),
      ...users.slice(1),
      ...(await defineNative('user with a Base62 id', 'user.base62')),
      ...(await defineNative('user with a numeric id', 'user.legacy-numeric')),
    ],
    hiddenUser: await define('hidden user', 'user.hidden'),
    tokens: (Object.keys(TOKENS) as (keyof typeof TOKENS)[]).filter((name) => target.has(TOKENS[name])),
    oddTokens: new Set<TokenName>([
      'nobody',
      'invalid',
      ...(target.has('token.without-scope') ? (['no scope'] as const) : []),
      ...(Object.keys(ODD_TOKENS) as (keyof typeof ODD_TOKENS)[]).filter((name) => target.has(ODD_TOKENS[name])),
    ]),
    hasInitialState: findPlaceholder(await target.need('bodies.connectionCreate'), 'state') !== undefined,
    actions: new Set(ACTION_CAPABILITIES.filter((capability) => target.has(capability)).flatMap(listActions)),
    canFailAuthorization: target.has('fault.authorization'),
    sort,
  };
  return { names, cast };
}

function present(all: readonly (string | undefined)[]): string[] {
  return all.filter((name) => name !== undefined);
}

function listActions(capability: Capability): ActionName[] {
  const actions = [
    'create',
    'remove',
    ...(capability.endsWith('.connections') ? ['update'] : []),
    ...(capability === 'platform.users' ? ['rename'] : []),
  ];
  return actions.map((action) => `${capability}.${action}` as ActionName);
}
