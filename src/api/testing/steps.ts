import assert from 'node:assert/strict';
import { ok } from './expect.ts';
import type { Lab } from './lab.ts';
import { idOf } from './world.ts';

export const ASSIGNMENTS = '/experience/assignments';
export const ASSIGNMENT = '/experience/assignments/{assignmentId}';
export const CONNECTIONS = '/experience/connections';
export const CONNECTION = '/experience/connections/{experienceConnectionId}';
export const ASSIGNABILITY = '/experience/experiences/{experienceId}/assignability';

/** Bodies that are no JSON, and JSON that is no object. */
export const NOT_JSON = ['', '{', '{"state":ACTIVE}', 'state=ACTIVE', '{"state":"ACTIVE"}}', '\u0000', '{"a":1,}'];
export const NO_OBJECT = ['null', '[]', '"ACTIVE"', '7', 'true', '[{"state":"ACTIVE"}]'];

export type Target = { readonly targetType: 'ACCOUNT' | 'PHONE_NUMBER' | 'USER'; readonly targetValue: string };
export const number = (targetValue: string): Target => ({ targetType: 'PHONE_NUMBER', targetValue });
export const user = (targetValue: string): Target => ({ targetType: 'USER', targetValue });
export const account = (targetValue: string): Target => ({ targetType: 'ACCOUNT', targetValue });

export type ExperienceAlias = 'agent' | 'other-agent' | 'general' | 'readable' | 'hidden' | `many-${number}`;
export const experience = (alias: ExperienceAlias): string => idOf('experiences', alias);

/** Assigns an Experience as a caller that may. */
export const assign = (lab: Lab, alias: ExperienceAlias, target: Target) =>
  ok(lab.api('full').POST(ASSIGNMENTS, { body: { experienceId: experience(alias), ...target } }));

/** Connects an Experience as a caller that may. */
export const connect = async (lab: Lab, alias: ExperienceAlias, accountId: string, state?: 'ACTIVE' | 'INACTIVE') => {
  const body = { experienceId: experience(alias), accountId, ...(state && { state }) };
  return allMembers(await ok(lab.api('full').POST(CONNECTIONS, { body })));
};

/** A connection that the kit answered: it always sends every member. */
export function allMembers<C extends object>(connection: C): { [M in keyof C]-?: NonNullable<C[M]> } {
  return connection as { [M in keyof C]-?: NonNullable<C[M]> };
}

export const readAssignment = (lab: Lab, assignmentId: string) => lab.api('full').GET(ASSIGNMENT, { params: { path: { assignmentId } } });
export const readConnection = (lab: Lab, experienceConnectionId: string) =>
  lab.api('full').GET(CONNECTION, { params: { path: { experienceConnectionId } } });

export const assignmentsOf = async (lab: Lab, accountId: string) =>
  (await ok(lab.api('full').GET(ASSIGNMENTS, { params: { query: { accountId } } }))).entities;
export const connectionsOf = async (lab: Lab, accountId: string) =>
  (await ok(lab.api('full').GET(CONNECTIONS, { params: { query: { accountId } } }))).entities.map(allMembers);

/** A page of any list. */
export interface Page<T> {
  readonly entities: readonly T[];
  readonly cursor?: string | null;
}

/** Follows the cursor to the end. @returns the pages. */
export async function traverse<T>(page: (cursor: string | undefined) => Promise<Page<T>>): Promise<Page<T>[]> {
  const pages: Page<T>[] = [];
  for (let cursor: string | undefined | null; cursor !== null; ) {
    assert.ok(pages.length < 1000, 'the traversal does not end');
    const next = await page(cursor);
    pages.push(next);
    cursor = next.cursor ?? null;
  }
  return pages;
}
