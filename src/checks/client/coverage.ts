import { type OperationId, operations } from '../../contract/generated/operations.ts';
import type { Coverage } from '../../contract/generated/results.ts';
import { type RuleId, statusOf } from '../../contract/generated/rules.ts';
import { rules } from '../../contract/generated/rules-table.ts';
import { describeRule, listScenarios, ruleScenarios } from '../scenarios/list-scenarios.ts';
import type { Call } from './call.ts';
import { buildHistory } from './history.ts';
import { createReactionFinder, describeReactions } from './reactions.ts';
import { getNamedRule, getRefusingRule } from './refusing-rule.ts';

interface Answer extends Omit<Coverage, 'met' | 'next'> {
  matches(call: Call, reason: string | undefined): boolean;
}

/** Refusals are counted per rule if the rule applies to at most this many operations, and otherwise per status. */
const MAX_RULE_OPERATIONS = 2;
/** The specification documents no success response for these operations. */
const SUCCESS_STATUSES: { readonly [Op in OperationId]?: number } = {
  createExperienceConnection: 201,
  updateExperienceConnection: 200,
  deleteExperienceConnection: 204,
};

/** @param canProvoke whether the rows contain commands for a kit, and requests, that cause what has not happened */
export function computeCoverage(entries: readonly Call[], canProvoke = true): Coverage[] {
  const { calls } = buildHistory(entries);
  const answers = [...(Object.keys(operations) as OperationId[]).flatMap(listAnswers), ...OAUTH_ANSWERS];
  const met = new Map<Answer, Call[]>(answers.map((answer) => [answer, []]));
  for (const call of calls) {
    const answer = findAnswer(call, [...met.keys()]);
    if (answer && !met.get(answer)?.push(call)) met.set(answer, [call]);
  }
  const findReaction = createReactionFinder(calls);
  return [...met].map(([{ matches: _, provoke, ...answer }, callsWithAnswer]) => {
    const failed = callsWithAnswer.filter((call) => (call.status ?? 0) >= 400 || call.problem !== undefined);
    const next = describeReactions(failed.map(findReaction));
    return {
      ...answer,
      met: callsWithAnswer.length,
      ...(next.length > 0 && { next }),
      ...(canProvoke && callsWithAnswer.length === 0 && provoke !== undefined && { provoke }),
    };
  });
}

function findAnswer(call: Call, answers: readonly Answer[]): Answer | undefined {
  const { operationId, status, problem, oauth, door } = call;
  if (operationId === undefined || status === undefined) return undefined;
  // A redirect to the login page goes to the browser, not to the client.
  if (operationId === 'authorize' && problem === undefined && oauth?.issued?.code === undefined) return undefined;
  if (problem?.type?.startsWith('/problems/proxy.')) return undefined;
  // A real service has types of its own.
  const isForeign = door === 'service' && problem !== undefined && getNamedRule(call) === undefined;
  const reason = isForeign ? getRefusingRule(call) : (problem?.type?.replace(/^\/problems\//, '') ?? problem?.title);
  const candidates = answers.filter((answer) => answer.operation === operationId && isExpectedStatus(answer.status, status));
  const found = candidates.find((answer) => answer.matches(call, reason));
  if (found) return found;
  const [only, ...others] = candidates;
  if (isForeign && others.length > 0) return undefined;
  if (only && others.length === 0 && door === 'service' && (reason === undefined || reason === 'http.injected-fault')) return only;
  const text =
    door === 'authorization' || reason === undefined ? (problem?.detail ?? reason ?? 'Another answer.') : describeRule(reason).text;
  return {
    operation: operationId,
    status,
    ...(reason !== undefined && { rule: reason }),
    text,
    documented: false,
    matches: (_, other) => other === reason,
  };
}

const isExpectedStatus = (expected: number, actual: number): boolean => expected === actual || (expected < 300 && actual < 300);

function listAnswers(operation: OperationId): Answer[] {
  const { method, forms, statuses } = operations[operation];
  const requestLine = `${method.toUpperCase()} ${forms.prefixed}`;
  const rulesOfOperation = (Object.entries(statusOf[operation]) as [RuleId, number][]).filter(
    ([rule, status]) => status >= 400 && hasOwnScenarios(rule),
  );
  const specific = rulesOfOperation.filter(([rule]) => (rules[rule].operations?.length ?? 0) <= MAX_RULE_OPERATIONS);
  const refusals = specific.map(([rule, status]): Answer => {
    const option = rules[rule].operations?.length === 1 ? '' : ` --operation ${operation}`;
    const provoke = `xpk fault add --fault problem --rule ${rule}${option} --times 1`;
    return { operation, status, rule, text: rules[rule].text, provoke, matches: (_, reason) => reason === rule };
  });
  const hasRefusal = (status: number | string) => refusals.some((refusal) => refusal.status === status && status !== 401);
  const others = (statuses as readonly (number | string)[]).filter((status) => Number(status) >= 400 && !hasRefusal(status)).map(Number);
  const names = new Set(refusals.map(({ rule }) => rule));
  return [
    ...listSuccessAnswers(operation, requestLine),
    ...others.map((status): Answer => {
      const provoke = `xpk fault add --fault problem --status ${status} --operation ${operation} --times 1`;
      const text = status === 401 ? 'The access token is missing, invalid or expired.' : describeRefusal(operation, status);
      return { operation, status, text, provoke, matches: (_, reason) => !names.has(reason ?? '') };
    }),
    ...refusals,
  ].sort((a, b) => a.status - b.status);
}

function describeRefusal(operation: OperationId, status: number): string {
  return listScenarios(operation).find(({ expected }) => expected.status === status)?.scenario.title ?? 'The request is refused.';
}

const hasOwnScenarios = (rule: RuleId) => ruleScenarios.some(({ id, scenarios }) => id === rule && scenarios.length > 0);

function listSuccessAnswers(operation: OperationId, requestLine: string): Answer[] {
  const status = SUCCESS_STATUSES[operation] ?? Number(operations[operation].successStatus);
  if (operation !== 'updateExperienceConnection')
    return [{ operation, status, text: 'The request succeeds.', provoke: requestLine, matches: () => true }];
  return (['ACTIVE', 'INACTIVE'] as const).map((state): Answer => {
    const rule: RuleId = state === 'ACTIVE' ? 'connections.update.activates' : 'connections.update.deactivates';
    const matches = ({ request }: Call) => (request?.body as { state?: unknown } | undefined)?.state === state;
    return { operation, status, rule, text: rules[rule].text, provoke: `${requestLine} {"state":"${state}"}`, matches };
  });
}

const OAUTH_ANSWERS: readonly Answer[] = [
  {
    operation: 'authorize',
    status: 303,
    text: 'The user approves, and the redirect carries a code.',
    provoke: 'GET /auth/authorize',
    matches: ({ oauth }) => oauth?.issued?.code !== undefined,
  },
  {
    operation: 'authorize',
    status: 303,
    rule: 'oauth.callback.denied',
    text: 'The user declines, and the redirect carries an error.',
    provoke: 'xpk state set principals manager consent=declines',
    matches: (_, reason) => reason === 'access_denied',
  },
  {
    operation: 'token',
    status: 200,
    text: 'The code or refresh token is exchanged for a token.',
    provoke: 'POST /auth/oauth/token',
    matches: () => true,
  },
];
