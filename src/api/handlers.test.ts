import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refuse, refuseByDecision } from '../contract/failure.ts';
import type { OperationId } from '../contract/generated/operations.ts';
import { type Handler, type Handlers, handlers } from './handlers.ts';

type Run<Op extends OperationId> = Handler<Op>['run'];

// `@ts-expect-error` makes the compiler report an error if the next line is valid.

const { getUsers, ...others } = handlers;
// @ts-expect-error a missing handler: getUsers
export const incompleteHandlers: Handlers = others;
export const completeHandlers: Handlers = { ...others, getUsers };

// @ts-expect-error an undocumented status: reading an assignment never returns 409
export const undocumentedStatus: Run<'getExperienceAssignment'> = async () => refuse(409, 'assignments.get.not-found', 'no');

// @ts-expect-error a wrong status for the rule: assignments.delete.not-found is 404, not 403
export const ruleOfAnotherStatus: Run<'deleteExperienceAssignment'> = async () => refuse(403, 'assignments.delete.not-found', 'no');

// @ts-expect-error a rule of another operation
export const ruleOfAnotherOperation: Run<'getUser'> = async () => refuse(404, 'assignments.get.not-found', 'no');

// @ts-expect-error an undocumented success status: a creation returns 201
export const undocumentedSuccess: Handler<'createExperienceAssignment'>['status'] = 200;

// @ts-expect-error an invalid body: the target is missing
export const wrongBody: Run<'getExperienceAssignability'> = async () => ({
  body: { experienceId: 'x', assignable: true },
});

// @ts-expect-error a decision of another operation
export const decisionOfAnotherOperation: Run<'getUser'> = async () => refuseByDecision('assignments.create.duplicate', 'no');

export const validHandler: Run<'deleteExperienceAssignment'> = async () => refuse(404, 'assignments.delete.not-found', 'no');

test('the compiler rejects handlers that do not match the contract', async () => {
  assert.deepEqual(Object.keys(completeHandlers).length, 12);
  assert.equal(((await validHandler({} as never, {} as never)) as { status: number }).status, 404);
});
