import type { components } from '../../contract/generated/control.ts';
import type { EventType } from '../../contract/generated/events.ts';
import type { Collection, EntityOf } from '../../world/world.ts';
import { type ControlFlags, convertNotFound, createClient, omitUndefined } from '../command.ts';
import { getResponseData } from '../control-client.ts';
import {
  type AccountExperiencePair,
  type Entity,
  explainNotReceived,
  findSubscribedExperiences,
  preferConnected,
  sortByAccess,
} from './choose-experience.ts';

export interface TriggerFlags extends ControlFlags {
  readonly account?: string;
  readonly experience?: string;
  readonly subscription?: string;
  readonly as?: 'portal' | 'platform';
}

export type WorldEditor = Awaited<ReturnType<typeof createWorldEditor>>;

export async function createWorldEditor(type: EventType, flags: TriggerFlags) {
  const control = createClient(flags);
  const query = omitUndefined({ as: flags.as });
  const steps: string[] = [];
  const changed = new Set<string>();
  function recordChange(id: string, stepDescription: string): void {
    changed.add(id);
    steps.push(stepDescription);
  }
  async function list<C extends Collection>(collection: C): Promise<Entity<C>[]> {
    const entities = await getResponseData(control.GET('/_control/state/{collection}', { params: { path: { collection } } }));
    return Object.entries(entities).map(([alias, entity]) => ({ alias, ...entity }) as unknown as Entity<C>);
  }
  async function select<C extends Collection>(collection: C, name: string | undefined): Promise<Entity<C>[]> {
    if (name === undefined) return list(collection);
    const call = control.GET('/_control/state/{collection}/{id}', { params: { path: { collection, id: name } } });
    return [(await convertNotFound(getResponseData(call))) as unknown as Entity<C>];
  }

  const accounts = await select('accounts', flags.account);
  const experiences = await select('experiences', flags.experience);
  if (accounts.length === 0 || experiences.length === 0)
    throw new Error(
      `The event needs an account and an Experience, but the world has no ${accounts.length === 0 ? 'account' : 'Experience'}. To load the world that the kit started with, run: xpk reset`,
    );
  // Providers that are connected to the account given by --account are preferred.
  const connections = flags.account === undefined ? [] : await list('connections');
  const connected = connections
    .filter(({ account }) => account === accounts[0]?.alias)
    .map(({ experience }) => experiences.find(({ alias }) => alias === experience)?.provider);
  const subscriptions = await select('subscriptions', flags.subscription);
  const received = findSubscribedExperiences(type, experiences, subscriptions, connected);
  if (flags.subscription !== undefined && received.length === 0)
    throw new Error(explainNotReceived(type, subscriptions[0] as Entity<'subscriptions'>, flags.experience));
  const chosen = received.length > 0 ? received : preferConnected(experiences, connected);
  const pairs = sortByAccess(accounts, await list('principals')).flatMap((account) =>
    chosen.map(({ alias }) => ({ account, experience: alias })),
  );
  const info: components['schemas']['Info'] = await getResponseData(control.GET('/_control/info'));
  return {
    /** Pairs of an account and an Experience for which the event can be caused, the preferred pair first. Never empty. */
    pairs: pairs as readonly AccountExperiencePair[],
    decisions: info.decisions as Readonly<Record<string, unknown>>,
    steps: steps as readonly string[],
    changed: changed as ReadonlySet<string>,
    list,
    async createEntity<C extends Collection>(collection: C, body: EntityOf<C>, stepDescription: string): Promise<Entity<C>> {
      const call = control.POST('/_control/state/{collection}', { params: { path: { collection }, query }, body: { ...body } });
      const created = (await getResponseData(call)) as unknown as Entity<C>;
      recordChange(created.id, stepDescription);
      return created;
    },
    async changeEntity<C extends Collection>(
      collection: C,
      id: string,
      members: Partial<EntityOf<C>>,
      stepDescription: string,
    ): Promise<void> {
      await control.PATCH('/_control/state/{collection}/{id}', { params: { path: { collection, id }, query }, body: { ...members } });
      recordChange(id, stepDescription);
    },
    async deleteEntity(collection: Collection, id: string, stepDescription: string): Promise<void> {
      await control.DELETE('/_control/state/{collection}/{id}', { params: { path: { collection, id }, query } });
      recordChange(id, stepDescription);
    },
  };
}
