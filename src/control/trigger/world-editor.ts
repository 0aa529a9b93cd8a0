import { FailureError, type GateFailure, isFailure } from '../../contract/failure.ts';
import type { EventType } from '../../contract/generated/events.ts';
import type { Change } from '../../world/change.ts';
import { readCollection } from '../../world/dump.ts';
import { lookUp } from '../../world/references.ts';
import type { Collection, EntityOf } from '../../world/world.ts';
import { deleteEntity, getActor, writeEntity } from '../../world/write.ts';
import { type ControlDeps, refuseRequest } from '../handler.ts';
import {
  type AccountExperiencePair,
  type Entity,
  explainNotReceived,
  findSubscribedExperiences,
  preferConnected,
  sortByAccess,
} from './choose-experience.ts';

export interface TriggerRequest {
  readonly account?: string;
  readonly experience?: string;
  readonly subscription?: string;
  readonly as?: 'portal' | 'platform';
}

export type WorldEditor = Awaited<ReturnType<typeof createWorldEditor>>;

/** @throws FailureError if the world has no entities for the event, or if the subscription would not receive it */
export async function createWorldEditor(type: EventType, request: TriggerRequest, deps: ControlDeps) {
  const { store, world, createContext, decisions } = deps;
  const steps: string[] = [];
  const changed = new Set<string>();

  const list = <C extends Collection>(collection: C) =>
    store.read(async (db) => (await readCollection(db, collection)) as unknown as Entity<C>[]);
  async function select<C extends Collection>(collection: C, name: string | undefined): Promise<Entity<C>[]> {
    if (name === undefined) return list(collection);
    const found = unwrap(await lookUp(store.db, collection, name, 'invalid'));
    return [{ alias: found.alias, ...found.entity } as Entity<C>];
  }
  async function write<C extends Collection>(collection: C, change: Change, step: string): Promise<Entity<C>> {
    const { entity } = unwrap(await writeEntity({ context: createContext(), world }, getActor(collection, request.as), collection, change));
    return recordChange(entity as Entity<C>, step);
  }
  function recordChange<Changed extends { readonly id: string }>(entity: Changed, step: string): Changed {
    changed.add(entity.id);
    steps.push(step);
    return entity;
  }

  const accounts = await select('accounts', request.account);
  const experiences = await select('experiences', request.experience);
  if (accounts.length === 0 || experiences.length === 0)
    throw refuse(
      `The event needs an account and an Experience, but the world has no ${accounts.length === 0 ? 'account' : 'Experience'}. To load the world that the kit started with, run: xpk reset`,
    );
  // Providers that are connected to the requested account are preferred.
  const connections = request.account === undefined ? [] : await list('connections');
  const connected = connections
    .filter(({ account }) => account === accounts[0]?.alias)
    .map(({ experience }) => experiences.find(({ alias }) => alias === experience)?.provider);
  const subscriptions = await select('subscriptions', request.subscription);
  const received = findSubscribedExperiences(type, experiences, subscriptions, connected);
  if (request.subscription !== undefined && received.length === 0)
    throw refuse(explainNotReceived(type, subscriptions[0] as Entity<'subscriptions'>, request.experience));
  const chosen = received.length > 0 ? received : preferConnected(experiences, connected);
  const pairs = sortByAccess(accounts, await list('principals')).flatMap((account) =>
    chosen.map(({ alias }) => ({ account, experience: alias })),
  );
  return {
    /** Pairs of an account and an Experience for which the event can be caused, the preferred pair first. Never empty. */
    pairs: pairs as readonly AccountExperiencePair[],
    decisions,
    steps: steps as readonly string[],
    changed: changed as ReadonlySet<string>,
    list,
    createEntity: <C extends Collection>(collection: C, body: EntityOf<C>, step: string) =>
      write(collection, { kind: 'create', body }, step),
    changeEntity: <C extends Collection>(collection: C, name: string, body: Partial<EntityOf<C>>, step: string) =>
      write(collection, { kind: 'patch', name, body }, step),
    async deleteEntity(collection: Collection, id: string, step: string): Promise<void> {
      unwrap(await deleteEntity({ context: createContext(), world }, getActor(collection, request.as), collection, id));
      recordChange({ id }, step);
    },
  };
}

export const refuse = (detail: string): FailureError => new FailureError(refuseRequest('conflict', detail));

function unwrap<Result extends object>(result: Result | GateFailure): Result {
  if (isFailure(result)) throw new FailureError(result as GateFailure);
  return result as Result;
}
