import type { components } from '../../contract/generated/control.ts';
import type { EventType } from '../../contract/generated/events.ts';
import type { Collection, EntityOf } from '../../world/world.ts';
import { type ControlFlags, clientOf, namedByOption, pathOf } from '../control-options.ts';

export interface TriggerFlags extends ControlFlags {
  readonly account?: string;
  readonly experience?: string;
  readonly subscription?: string;
  readonly as?: 'portal' | 'platform';
}

/** An account and an Experience that an event can be about, by alias. */
export interface Place {
  readonly account: string;
  readonly experience: string;
}

/** An entity with its name; all that exist have an id. */
export type Named<C extends Collection> = EntityOf<C> & { readonly alias: string; readonly id: string };

/** The world of a running kit as a trigger sees and changes it. */
export interface Scene {
  /** Where the event can happen, the best place first; never empty. If a subscription receives the event at all, the preferred one receives it at each place. */
  readonly places: readonly Place[];
  readonly decisions: Readonly<Record<string, unknown>>;
  list<C extends Collection>(collection: C): Promise<Named<C>[]>;
  /** Each publishes as the one who acts would, and is told in words. */
  create<C extends Collection>(collection: C, entity: EntityOf<C>, told: string): Promise<Named<C>>;
  change<C extends Collection>(collection: C, id: string, members: Partial<EntityOf<C>>, told: string): Promise<void>;
  remove(collection: Collection, id: string, told: string): Promise<void>;
  /** What was done so far. */
  readonly did: readonly string[];
  /** The ids of the entities that were created, changed or removed so far. */
  readonly changed: ReadonlySet<string>;
}

export async function setScene(type: EventType, flags: TriggerFlags): Promise<Scene> {
  const control = clientOf(flags);
  const query = flags.as === undefined ? '' : `?as=${flags.as}`;
  const did: string[] = [];
  const changed = new Set<string>();
  async function list<C extends Collection>(collection: C): Promise<Named<C>[]> {
    const entities = await control.get<Record<string, object>>(`/state/${collection}`);
    return Object.entries(entities).map(([alias, entity]) => ({ alias, ...entity }) as Named<C>);
  }
  const those = async <C extends Collection>(collection: C, name: string | undefined) =>
    name === undefined ? list(collection) : [await namedByOption(control.get<Named<C>>(`/state${pathOf(collection, name)}`))];
  const accounts = await those('accounts', flags.account);
  const experiences = await those('experiences', flags.experience);
  if (accounts.length === 0 || experiences.length === 0)
    throw new Error('The world needs an account and an Experience for that: xpk reset');
  const connected = flags.account === undefined ? [] : await connectedProviders(accounts[0]!, experiences, list);
  const subscriptions = await those('subscriptions', flags.subscription);
  const received = receivedExperiences(type, experiences, subscriptions, connected);
  if (flags.subscription !== undefined && received.length === 0) throw new Error(whyNotReceived(type, subscriptions[0]!, flags.experience));
  const chosen = received.length > 0 ? received : connectedFirst(experiences, connected);
  const places = byReach(accounts, await list('principals')).flatMap((account) =>
    chosen.map(({ alias }) => ({ account, experience: alias })),
  );
  const { decisions } = await control.get<components['schemas']['Info']>('/info');
  return {
    places,
    decisions,
    did,
    changed,
    list,
    async create<C extends Collection>(collection: C, entity: EntityOf<C>, told: string) {
      const created = await control.post<Named<C>>(`/state/${collection}${query}`, entity);
      did.push(told);
      changed.add(created.id);
      return created;
    },
    async change(collection, id, members, told) {
      await control.patch(`/state${pathOf(collection, id)}${query}`, members);
      did.push(told);
      changed.add(id);
    },
    async remove(collection, id, told) {
      await control.delete(`/state${pathOf(collection, id)}${query}`);
      did.push(told);
      changed.add(id);
    },
  };
}

/** The providers of the Experiences that the account is connected to. */
async function connectedProviders(
  account: Named<'accounts'>,
  experiences: readonly Named<'experiences'>[],
  list: Scene['list'],
): Promise<string[]> {
  const connections = (await list('connections')).filter((connection) => connection.account === account.alias);
  return experiences.filter(({ alias }) => connections.some(({ experience }) => experience === alias)).map(({ provider }) => provider);
}

/** The same items, with those of the connected providers first. */
function connectedFirst<Of extends { readonly provider: string }>(all: readonly Of[], connected: readonly string[]): Of[] {
  return all.toSorted((a, b) => Number(connected.includes(b.provider)) - Number(connected.includes(a.provider)));
}

/**
 * The Experiences of which the preferred subscription receives the event; none if no subscription receives it. Subscriptions with a destination come
 * first, then those of a provider that the account is connected to, then the newest.
 */
function receivedExperiences(
  type: EventType,
  experiences: readonly Named<'experiences'>[],
  subscriptions: readonly Named<'subscriptions'>[],
  connected: readonly string[],
): Named<'experiences'>[] {
  const newestFirst = subscriptions.toSorted((a, b) => (a.id < b.id ? 1 : -1));
  const preferred = connectedFirst(newestFirst, connected).toSorted((a, b) => Number(!a.destinationUrl) - Number(!b.destinationUrl));
  const received = preferred.map((subscription) =>
    experiences.filter(
      ({ alias, provider }) =>
        subscription.types.includes(type) && subscription.provider === provider && (subscription.experience ?? alias) === alias,
    ),
  );
  return received.find(({ length }) => length > 0) ?? [];
}

function whyNotReceived(
  type: EventType,
  { alias, provider, experience, types }: Named<'subscriptions'>,
  asked: string | undefined,
): string {
  if (!types.includes(type)) return `The subscription ${alias} does not receive ${type}. It receives: ${types.join(', ')}.`;
  if (asked === undefined) return `The provider ${provider} of the subscription ${alias} has no Experience.`;
  const right = experience === undefined ? `give one of the provider ${provider}` : `give --experience ${experience}`;
  return `The subscription ${alias} does not receive events of the Experience ${asked}. Leave out --experience, or ${right}.`;
}

/** The aliases of accounts. Those in which a principal may do the most through the API come first. */
function byReach(accounts: readonly Named<'accounts'>[], principals: readonly Named<'principals'>[]): string[] {
  const reach = ({ alias }: Named<'accounts'>) => Math.max(0, ...principals.map((p) => LEVELS[p.accounts?.[alias] ?? 'none']));
  return accounts.toSorted((a, b) => reach(b) - reach(a)).map(({ alias }) => alias);
}

const LEVELS = { none: 0, read: 1, manage: 2 } as const;
