import assert from 'node:assert/strict';
import type { DecisionId } from '../../contract/generated/decisions.ts';
import type { GateId } from '../../contract/generated/gates.ts';
import type { RuleId } from '../../contract/generated/rules.ts';
import { idOfProblem, type ProblemBody } from './checked-fetch.ts';

/** What a client of the service hands over: the typed one, or `send`. */
export interface Reply<Data = unknown> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** The body of a success. @param status any 2xx where none is given. */
export async function ok<Data>(reply: Promise<Reply<Data>>, status?: number): Promise<NonNullable<Data>> {
  const { data, error, response } = await reply;
  assert.ok(status === undefined ? response.ok : response.status === status, `${response.status} ${response.url} ${JSON.stringify(error)}`);
  assert.ok(data, `${response.url} has no body`);
  return data;
}

/** A success without a body. */
export async function done(reply: Promise<Reply>, status = 204): Promise<void> {
  const { error, response } = await reply;
  assert.equal(response.status, status, `${response.url} ${JSON.stringify(error)}`);
}

/** The problem of a refusal that is exactly this one. */
export async function refused(reply: Promise<Reply>, status: number, id: RuleId | DecisionId | GateId): Promise<ProblemBody> {
  const { data, error, response } = await reply;
  assert.ok(error, `${response.status} ${response.url} ${JSON.stringify(data)}`);
  const problem = error as ProblemBody;
  assert.deepEqual([response.status, idOfProblem(problem)], [status, id], `${response.url} ${problem.detail}`);
  return problem;
}

/** How often each status came. */
export async function tally(replies: readonly Promise<Reply>[]): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  for (const { response } of await Promise.all(replies)) statuses[response.status] = (statuses[response.status] ?? 0) + 1;
  return statuses;
}

/** Sends so many requests, a few at a time: time stands still, so they are within one moment all the same. @returns how often each status came. */
export async function inARow(count: number, request: () => Promise<Reply>): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  for (let sent = 0; sent < count; sent += 10) {
    const some = await tally(Array.from({ length: Math.min(10, count - sent) }, request));
    for (const [status, times] of Object.entries(some)) statuses[Number(status)] = (statuses[Number(status)] ?? 0) + times;
  }
  return statuses;
}
