import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeAnswer, describeExchange, describeRequest, renumber } from './describe.ts';
import type { Answer } from './side.ts';
import type { Step } from './steps.ts';

const answer = (status: number, json?: object): Answer => ({ status, text: JSON.stringify(json) ?? '', json });
const update: Step = {
  kind: 'update connection',
  origin: 'api',
  as: 'manager',
  request: {
    operation: 'updateExperienceConnection',
    path: { experienceConnectionId: '«connection #1»' },
    body: { state: 'ACTIVE' },
    as: 'manager',
    form: 'prefixed',
  },
  changes: ['«connection #1»'],
  apply() {},
};
const { request: _, ...rest } = update;
const action: Step = {
  ...rest,
  creates: '«assignment #2»',
  action: { name: 'portal.assignments.create', args: [{ experienceId: '«experience 1»', targetValue: '«user 1»' }] },
};

test('a step shows the request, the principal and the answer', () =>
  assert.equal(
    describeExchange(update, 1, [{ target: answer(204), twin: answer(200) }]),
    'PUT /experience/connections/new connection 1 {"state":"ACTIVE"}, as the manager → 204',
  ));

test('a step shows the expected answer if one side refuses, with the reason', () =>
  assert.equal(
    describeExchange(update, 1, [{ target: answer(204), twin: answer(409, { detail: 'It is ACTIVE.' }) }]),
    'PUT /experience/connections/new connection 1 {"state":"ACTIVE"}, as the manager → 204\nexpected: 409 (It is ACTIVE.)',
  ));

test('parallel requests are one step with several answers', () =>
  assert.match(
    describeExchange(update, 2, [
      { target: answer(204), twin: answer(204) },
      { target: answer(409), twin: answer(409) },
    ]),
    /^2 times at the same moment: PUT .* → 204, 409$/,
  ));

test('what the target refused to create has no name', () =>
  assert.doesNotMatch(describeExchange(action, 1, [{ target: answer(409), twin: answer(409) }]), /new assignment/));

test('an answer is shown although the twin has not answered, because an earlier answer already differed', () =>
  assert.match(describeExchange(update, 1, [{ target: answer(204) }], true), /^at the same moment as the previous request: PUT .* → 204$/));

test('an action in the portal is a sentence, with the name of what it creates', () =>
  assert.equal(
    describeExchange(action, 1, [{ target: answer(200), twin: answer(200) }]),
    'The portal assigns user 1 to experience 1 (new assignment 2) → done',
  ));

test('a request shows its query, ids in capital letters and what its token lacks', () =>
  assert.equal(
    describeRequest('getExperienceAssignments', {
      query: { targetType: 'USER', targetValue: '«user 1»^' },
      as: 'no scope',
      form: 'flat',
    }),
    'GET /experience-assignments?targetType=USER&targetValue=user 1 in capital letters, with a token without the scope',
  ));

test('the reason for a refusal is the body if the body is no problem, and is shortened', () => {
  assert.equal(describeAnswer({ status: 500, text: 'x'.repeat(500), json: undefined }), `500 (${'x'.repeat(120)}…)`);
  assert.equal(describeAnswer({ status: 404, text: '', json: undefined }), '404');
});

test('what the steps created is numbered in their order, each kind for itself, in texts and in scripts', () => {
  const steps = [
    'The platform creates an account (new account 7) → done',
    'The portal connects new account 7 with experience 2 (new connection 31) → done',
  ];
  assert.equal(
    renumber('GET /new connection 31 "$NEW_CONNECTION_31" NEW_ACCOUNT_7=$(a new user 5)', steps),
    'GET /new connection 1 "$NEW_CONNECTION_1" NEW_ACCOUNT_1=$(a new user 5)',
  );
});
