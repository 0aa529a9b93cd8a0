import type { DecisionId, Decisions } from '../../src/contract/generated/decisions.ts';
import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import type { RuleId } from '../../src/contract/generated/rules.ts';
import { rules } from '../../src/contract/generated/rules-table.ts';
import type { Answer } from '../../src/expect/answer.ts';
import { HOSTILE_NUMBERS, UNKNOWN_NUMBER, UNKNOWN_UUID } from '../../src/refusals/hostile-values.ts';
import { type CallChange, createPlaceholder } from '../../src/refusals/refusal.ts';
import { decisionRefusals } from '../../src/refusals/table.ts';
import { readEntities } from '../actors/lists.ts';
import { createObservation, createRefusalCheck, describeChange } from '../actors/refusals.ts';
import { OPERATION_IDS } from '../actors/sample-calls.ts';
import { getDecisionQuestion, observe, observeStatus } from '../expect/observed.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';

const findEmptyAlternative = (answer: Answer) => (readEntities(answer)?.length === 0 ? 'empty' : undefined);
const findIgnoredAlternative = ({ status }: Answer) => (status === 200 ? 'ignored' : undefined);

const ACCOUNT_QUERY = { accountId: createPlaceholder('account') };
const NUMBER_QUERY = { telephoneNumber: createPlaceholder('number.second-account') };
const HIDDEN_ACCOUNTS = [UNKNOWN_UUID, createPlaceholder('account.hidden')].map((accountId) => ({
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
  ...Map.groupBy(decisionRefusals, ({ id, operation }) => `${id} ${operation}`)
    .values()
    .map((rows) => [rows[0]!.id, rows[0]!.operation, rows.map(({ refusal }) => refusal)] as const),
  [
    'connections.list.unknown-number',
    'getExperienceConnections',
    [{ valid: NUMBER_QUERY, values: { telephoneNumber: UNKNOWN_NUMBER } }],
    findEmptyAlternative,
  ],
  [
    'connections.list.malformed-tn-beside-number',
    'getExperienceConnections',
    [{ valid: NUMBER_QUERY, values: { tn: HOSTILE_NUMBERS[0]?.value } }],
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
