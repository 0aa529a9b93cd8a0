import type { DecisionId, Decisions } from '../../src/contract/generated/decisions.ts';
import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import type { RuleId } from '../../src/contract/generated/rules.ts';
import { rules } from '../../src/contract/generated/rules-table.ts';
import { readEntities } from '../actors/lists.ts';
import { type CallChange, createCapabilityPlaceholder, createObservation, createRefusalCheck, describeChange } from '../actors/refusals.ts';
import { OPERATION_IDS } from '../actors/sample-calls.ts';
import { getDecisionQuestion, observe, observeStatus } from '../expect/observed.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';
import type { Answer } from '../target/exchange.ts';
import { MALFORMED_NUMBER, UNKNOWN_TARGETS, UNKNOWN_UUID } from '../target/sample-values.ts';

const findEmptyAlternative = (answer: Answer) => (readEntities(answer)?.length === 0 ? 'empty' : undefined);
const findIgnoredAlternative = ({ status }: Answer) => (status === 200 ? 'ignored' : undefined);

const ACCOUNT_QUERY = { accountId: createCapabilityPlaceholder('account') };
const NUMBER_QUERY = { telephoneNumber: createCapabilityPlaceholder('number.second-account') };
const CREATE_BODIES = ['{"unfinished":', '', '[]', 'null'].map((rawBody) => ({ rawBody }));
const CONNECTION_BODIES = ['[]', 'null', '"text"'].map((rawBody) => ({ rawBody }));
const HIDDEN_ACCOUNTS = [UNKNOWN_UUID, createCapabilityPlaceholder('account.hidden')].map((accountId) => ({
  valid: ACCOUNT_QUERY,
  values: { accountId },
}));
const UNKNOWN_PARAMETER = [{ valid: ACCOUNT_QUERY, values: { shoeSize: 42 } }];
const WITHOUT_SCOPE = [{ as: 'without-scope' } as const];
const MALFORMED_UUID = [{ id: 'no-such-id' }];
const OPERATIONS_EXCEPT_USERS = OPERATION_IDS.filter((operation) => operations[operation].scope !== 'users:manage');

/** Calls whose responses show a decision's value. By default, the value is the response's status. */
const OBSERVATIONS: readonly (readonly [
  DecisionId,
  OperationId,
  readonly CallChange[],
  valueIn?: (answer: Answer) => string | undefined,
])[] = [
  ['assignments.create.malformed-body', 'createExperienceAssignment', CREATE_BODIES],
  [
    'assignments.create.unknown-experience',
    'createExperienceAssignment',
    [UNKNOWN_UUID, createCapabilityPlaceholder('experience.hidden')].map((experienceId) => ({ values: { experienceId } })),
  ],
  [
    'assignments.create.read-only-experience',
    'createExperienceAssignment',
    [{ values: { experienceId: createCapabilityPlaceholder('experience.read-only') } }],
  ],
  [
    'assignments.create.unknown-target',
    'createExperienceAssignment',
    // An unknown user is not in this list, because the specification defines the status for it.
    [
      { values: { targetValue: UNKNOWN_TARGETS.PHONE_NUMBER } },
      { values: { targetType: 'ACCOUNT', targetValue: UNKNOWN_UUID } },
      { values: { targetType: 'ACCOUNT', targetValue: createCapabilityPlaceholder('account.hidden') } },
      { values: { targetType: 'USER', targetValue: createCapabilityPlaceholder('user.hidden') } },
      { as: 'outsider' },
    ],
  ],
  ['assignments.create.read-only-target', 'createExperienceAssignment', [{ as: 'reader' }]],
  ['connections.malformed-body', 'createExperienceConnection', CONNECTION_BODIES],
  ['connections.malformed-body', 'updateExperienceConnection', CONNECTION_BODIES],
  [
    'connections.create.unknown-account-or-experience',
    'createExperienceConnection',
    [
      { values: { experienceId: UNKNOWN_UUID } },
      { values: { accountId: UNKNOWN_UUID } },
      { values: { experienceId: createCapabilityPlaceholder('experience.hidden') } },
      { values: { accountId: createCapabilityPlaceholder('account.hidden') } },
    ],
  ],
  ['connections.update.missing-field', 'updateExperienceConnection', [{ values: { state: undefined } }]],
  [
    'connections.list.unknown-number',
    'getExperienceConnections',
    [{ valid: NUMBER_QUERY, values: { telephoneNumber: UNKNOWN_TARGETS.PHONE_NUMBER } }],
    findEmptyAlternative,
  ],
  [
    'connections.list.malformed-tn-beside-number',
    'getExperienceConnections',
    [{ valid: NUMBER_QUERY, values: { tn: MALFORMED_NUMBER } }],
    findIgnoredAlternative,
  ],
  ['lists.hidden-account', 'getExperienceAssignments', HIDDEN_ACCOUNTS, findEmptyAlternative],
  ['lists.hidden-account', 'getExperienceConnections', HIDDEN_ACCOUNTS, findEmptyAlternative],
  ['http.query.unknown-parameter', 'getExperienceAssignments', UNKNOWN_PARAMETER, findIgnoredAlternative],
  ['http.query.unknown-parameter', 'getExperienceConnections', UNKNOWN_PARAMETER, findIgnoredAlternative],
  ['http.query.unknown-parameter', 'getUsers', UNKNOWN_PARAMETER, findIgnoredAlternative],
  ...OPERATIONS_EXCEPT_USERS.map((operation) => ['auth.missing-scope', operation, WITHOUT_SCOPE] as const),
  ['http.path-id', 'getExperienceAssignability', MALFORMED_UUID],
  ['http.path-id', 'getExperienceAssignment', MALFORMED_UUID],
  ['http.path-id', 'getExperienceConnection', MALFORMED_UUID],
  ['users.token-without-claim-and-scope', 'getUsers', [{ valid: ACCOUNT_QUERY, as: 'without-claim-and-scope' }]],
  ['users.token-without-claim-and-scope', 'getUser', [{ as: 'without-claim-and-scope' }]],
];

for (const [decision, operation, changes, valueIn] of OBSERVATIONS) {
  const report = (answer: Answer) => {
    const value = valueIn?.(answer) as Decisions[DecisionId] | undefined;
    if (value === undefined) observeStatus(decision, answer);
    else observe(decision, value);
  };
  test(`${getDecisionQuestion(decision)} ${operation}`, createObservation(operation, changes, report));

  // For some decisions, a rule requires a refusal, and the decision chooses only the status.
  const id = `${decision}-refused`;
  if (Object.hasOwn(rules, id))
    for (const change of changes)
      test(...rule(id as RuleId, `${operation}, ${describeChange(change)}`), createRefusalCheck(operation, change));
}
