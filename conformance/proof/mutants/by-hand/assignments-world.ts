import { bodyOf, isSuccess, type Json, type Request, requestOf } from '../exchange.ts';
import type { Kit, Service } from '../mutant.ts';
import { list } from './world.ts';

export const ASSIGNMENTS = '/experience/assignments';

/** The account that owns a target; undefined if there is no such target. */
export async function accountOfTarget({ targetType, targetValue }: Json, { control }: Kit): Promise<string | undefined> {
  const value = String(targetValue);
  if (targetType === 'ACCOUNT') return (await control.find('accounts', value))?.id as string | undefined;
  const owned = await control.find(targetType === 'USER' ? 'users' : 'telephoneNumbers', value);
  return owned && ((await control.find('accounts', String(owned.account)))?.id as string);
}

/** The assignments of the target that a creation is about, as the caller sees them. */
export function assignedTo({ targetType, targetValue }: Json, request: Request, service: Service): Promise<Json[]> {
  return list(ASSIGNMENTS, { targetType, targetValue }, request, service);
}

/** The type of an Experience. */
export async function typeOf(experienceId: unknown, { control }: Kit): Promise<unknown> {
  return (await control.find('experiences', String(experienceId)))?.type;
}

/** An assignment that was not created. */
export function invented(members: Json): Json {
  return { id: '5ab07a9e-0000-4000-8000-00000000a551', updatedAt: '2026-01-01T00:00:00.000Z', ...members };
}

/** Whether a list has exactly these filters. */
export function hasFilters({ operation, query }: Request, filters: readonly string[]): boolean {
  const given = Object.keys(query).filter((name) => name !== 'cursor' && name !== 'pageSize');
  return operation === 'getExperienceAssignments' && given.length === filters.length && filters.every((name) => given.includes(name));
}

/** The assignment with this id as the caller sees it. */
export async function assignmentAt(id: string, { headers }: Request, service: Service): Promise<Json | undefined> {
  const reply = await service(requestOf('GET', `${ASSIGNMENTS}/${encodeURIComponent(id)}`, headers, ''));
  return isSuccess(reply) ? bodyOf(reply) : undefined;
}
