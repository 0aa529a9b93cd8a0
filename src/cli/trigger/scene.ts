import type { components } from '../../contract/generated/control.ts';
import type { EventType } from '../../contract/generated/events.ts';
import type { Collection, EntityOf } from '../../fixtures/world.ts';
import { type ControlFlags, clientOf, pathOf } from '../control-options.ts';

export interface TriggerFlags extends ControlFlags {
  readonly account?: string;
  readonly experience?: string;
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
  /** Where it may happen, the best first; never none. */
  readonly places: readonly Place[];
  readonly decisions: Readonly<Record<string, unknown>>;
  list<C extends Collection>(collection: C): Promise<Named<C>[]>;
  /** Each publishes as the one who acts would, and is told in words. */
  create<C extends Collection>(collection: C, entity: EntityOf<C>, told: string): Promise<Named<C>>;
  change<C extends Collection>(collection: C, id: string, members: Partial<EntityOf<C>>, told: string): Promise<void>;
  remove(collection: Collection, id: string, told: string): Promise<void>;
  /** What was done so far. */
  readonly did: readonly string[];
}

export async function setScene(type: EventType, flags: TriggerFlags): Promise<Scene> {
  const control = clientOf(flags);
  const query = flags.as === undefined ? '' : `?as=${flags.as}`;
  const did: string[] = [];
  async function list<C extends Collection>(collection: C): Promise<Named<C>[]> {
    const entities = await control.get<Record<string, object>>(`/state/${collection}`);
    return Object.entries(entities).map(([alias, entity]) => ({ alias, ...entity }) as Named<C>);
  }
  const those = async <C extends Collection>(collection: C, name: string | undefined) =>
    name === undefined ? list(collection) : [await control.get<Named<C>>(`/state${pathOf(collection, name)}`)];
  const accounts = await those('accounts', flags.account);
  const experiences = await those('experiences', flags.experience);
  if (accounts.length === 0 || experiences.length === 0)
    throw new Error('The world needs an account and an Experience for that: xpk reset');
  const places = bestOf(type, { accounts, experiences, subscriptions: await list('subscriptions'), principals: await list('principals') });
  const { decisions } = await control.get<components['schemas']['Info']>('/info');
  return {
    places,
    decisions,
    did,
    list,
    async create<C extends Collection>(collection: C, entity: EntityOf<C>, told: string) {
      const created = await control.post<Named<C>>(`/state/${collection}${query}`, entity);
      did.push(told);
      return created;
    },
    async change(collection, id, members, told) {
      await control.patch(`/state${pathOf(collection, id)}${query}`, members);
      did.push(told);
    },
    async remove(collection, id, told) {
      await control.delete(`/state${pathOf(collection, id)}${query}`);
      did.push(told);
    },
  };
}

type Known = { readonly [C in 'accounts' | 'experiences' | 'subscriptions' | 'principals']: readonly Named<C>[] };

/** Only where a subscription wants the event, if there is such a place; first where most can be done with the account through the API. */
function bestOf(type: EventType, { accounts, experiences, subscriptions, principals }: Known): Place[] {
  const wanted = experiences.filter(({ alias, provider }) =>
    subscriptions.some((s) => s.provider === provider && (s.experience ?? alias) === alias && s.types.includes(type)),
  );
  const reach = ({ alias }: Named<'accounts'>) => Math.max(0, ...principals.map((p) => LEVELS[p.accounts?.[alias] ?? 'none']));
  const nearest = accounts.map((account) => [reach(account), account.alias] as const).sort(([a], [b]) => b - a);
  const chosen = wanted.length > 0 ? wanted : experiences;
  return nearest.flatMap(([, account]) => chosen.map(({ alias }) => ({ account, experience: alias })));
}

const LEVELS = { none: 0, read: 1, manage: 2 } as const;
