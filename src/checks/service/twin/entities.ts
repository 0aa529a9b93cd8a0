// What exchanges show of single entities.

import { isSameInstant } from '../../../contract/instants.ts';
import { type Exchange, getEntities, type Json, normalize, succeeds } from '../exchange.ts';
import { isList } from '../lists.ts';

export type Kind = 'connection' | 'assignment' | 'user';

/** A response that shows an entity, or that it is gone. */
export interface Sighting {
  readonly kind: Kind;
  readonly id: string;
  /** Undefined: the entity is gone. */
  readonly members: Json | undefined;
  readonly exchange: Exchange;
  /** Whether the response may be out of date: a list may show a change late. */
  readonly isListed: boolean;
}

export const getKind = ({ operation }: Exchange): Kind | undefined =>
  /(Connection|Assignment|User)s?$/.exec(operation)?.[1]?.toLowerCase() as Kind | undefined;
export const isWrite = ({ operation }: Exchange): boolean => /^(create|update|delete)/.test(operation);

/** The members that no change of an entity changes. */
const FIXED: Readonly<Record<Kind, readonly string[]>> = {
  connection: ['accountId', 'experienceId'],
  // A number may move to another account.
  assignment: ['experienceId', 'targetType', 'targetValue'],
  user: ['accountId', 'createdAt'],
};
const CHANGING: Readonly<Record<Kind, readonly string[]>> = {
  connection: ['state', 'updatedAt'],
  assignment: ['updatedAt'],
  user: ['firstName', 'lastName', 'updatedAt'],
};

function isSameValue(name: string, first: unknown, second: unknown): boolean {
  if (first === second || typeof first !== 'string' || typeof second !== 'string') return first === second;
  return name.endsWith('At')
    ? isSameInstant(first, second)
    : name.endsWith('Name')
      ? first === second
      : normalize(first) === normalize(second);
}

/** Returns the members that both have, and that differ. A member that one of them lacks shows nothing. */
const findDifferent = (names: readonly string[], first: Json, second: Json): readonly string[] =>
  names.filter((name) => first[name] !== undefined && second[name] !== undefined && !isSameValue(name, first[name], second[name]));

export const findChangedFixed = (kind: Kind, before: Json, after: Json): readonly string[] =>
  findDifferent([...FIXED[kind], ...(before.targetType === 'USER' ? ['accountId'] : [])], before, after);
export const isSameVersion = (kind: Kind, before: Json, after: Json): boolean => findDifferent(CHANGING[kind], before, after).length === 0;

/** The specification does not show the response to every change, so it may contain the entity as a member. */
export function findEntity(json: unknown): Json | undefined {
  const values = [json, ...Object.values(Object(json) as Json)].map((value) => Object(value) as Json);
  const found = values.filter(({ id }) => typeof id === 'string');
  // The response may have an id of its own.
  return found.find(({ experienceId }) => experienceId !== undefined) ?? found[0];
}

/** Lists what a response shows. A refusal that hides an entity from its caller shows nothing. @param hasSeen whether the caller has seen the entity */
export function listSightings(each: Exchange, hasSeen: (id: string) => boolean): readonly Sighting[] {
  const kind = getKind(each);
  if (kind === undefined) return [];
  const toSighting = (members: Json | undefined, id: unknown = members?.id): Sighting[] =>
    typeof id === 'string' ? [{ kind, id: normalize(id), members, exchange: each, isListed: isList(each) }] : [];
  if (isList(each)) return getEntities(each).flatMap((entity) => toSighting(entity));
  if (each.answer.status === 404 && !isWrite(each)) return hasSeen(normalize(each.id)) ? toSighting(undefined, each.id) : [];
  if (!succeeds(each) || each.answer.status === 202) return [];
  if (each.operation.startsWith('delete')) return toSighting(undefined, each.id);
  const requested = each.operation.startsWith('create') ? readIds(each) : {};
  return toSighting({ ...requested, ...findEntity(each.answer.json) });
}

/** Reads the ids and the state in the body of a request. The specification does not show the body of a connection. */
export function readBody(body: unknown): Json {
  const found: Record<string, unknown> = {};
  const visit = (value: unknown, path: string): void => {
    if (typeof value === 'object' && value !== null) for (const [name, member] of Object.entries(value)) visit(member, `${path}.${name}`);
    if (typeof value !== 'string') return;
    if (/^(IN)?ACTIVE$/.test(value)) found.state = value;
    if (/account/i.test(path)) found.accountId ??= value;
    if (/experience/i.test(path)) found.experienceId ??= value;
    if (/\.target(Type|Value)$/.test(path)) found[path.slice(1)] = value;
  };
  visit(body, '');
  return found;
}

export const readIds = ({ call: { request } }: Exchange): Json => readBody(request?.body);
