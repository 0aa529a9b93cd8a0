import { type OperationId, operations } from '../../contract/generated/operations.ts';
import type { Coverage } from '../../contract/generated/results.ts';
import { type RuleId, statusOf } from '../../contract/generated/rules.ts';
import { rules } from '../../contract/generated/rules-table.ts';
import { describeRule, entries, isScenarios, listScenarios } from '../refusals/list.ts';
import type { Call } from './call.ts';
import { historyOf } from './history.ts';
import { describeReactions, reactionTo } from './reactions.ts';

/** An answer of the service that the specification documents. */
interface Answer {
  readonly operation: string;
  readonly status: number;
  readonly rule?: string;
  readonly text: string;
  readonly provoke?: string;
  readonly documented?: false;
  /** Returns whether a call with this operation and status got this answer. */
  isOf(call: Call, reason: string | undefined): boolean;
}

/** A rule that applies to more operations than this is about access tokens. All such rules share one answer of each operation and status. */
const MAX_OPERATIONS = 2;
/** The statuses of successful requests to operations for which the specification shows no success response. */
const SUCCESSES: { readonly [Op in OperationId]?: number } = {
  createExperienceConnection: 201,
  updateExperienceConnection: 200,
  deleteExperienceConnection: 204,
};

/**
 * Returns each documented answer of the service, with the number of calls that got it, what the client did next, and the command that
 * provokes the answer to the next call of the client. Also returns the undocumented answers that the client got.
 * @param entries the calls of the client to the service and its authorization server
 */
export function coverageOf(entries: readonly Call[]): Coverage[] {
  const { calls } = historyOf(entries);
  const answers = [...(Object.keys(operations) as OperationId[]).flatMap(answersOf), ...OAUTH];
  const met = new Map<Answer, Call[]>(answers.map((answer) => [answer, []]));
  for (const call of calls) {
    const answer = answerTo(call, [...met.keys()]);
    if (answer) met.set(answer, [...(met.get(answer) ?? []), call]);
  }
  return [...met].map(([{ isOf: _, provoke, ...answer }, ofAnswer]) => {
    const failed = ofAnswer.filter((call) => (call.status ?? 0) >= 400 || call.problem !== undefined);
    const next = describeReactions(failed.map((call) => reactionTo(call, calls)));
    return {
      ...answer,
      met: ofAnswer.length,
      ...(next.length > 0 && { next }),
      ...(ofAnswer.length === 0 && provoke !== undefined && { provoke }),
    };
  });
}

/** Finds the answer that a call got, or creates one if the specification does not document it. */
function answerTo(call: Call, answers: readonly Answer[]): Answer | undefined {
  const { operationId, status, problem, oauth, door } = call;
  if (operationId === undefined || status === undefined) return undefined;
  // A redirect to the login page is not an answer to the client.
  if (operationId === 'authorize' && problem === undefined && oauth?.issued?.code === undefined) return undefined;
  const reason = problem?.type?.replace(/^\/problems\//, '') ?? problem?.title;
  const candidates = answers.filter((answer) => answer.operation === operationId && isSameStatus(answer.status, status));
  const found = candidates.find((answer) => answer.isOf(call, reason));
  if (found) return found;
  // A fault without a rule counts for the documented answer with its status, if there is only one.
  const [only, ...others] = candidates;
  if (only && others.length === 0 && door === 'service' && (reason === undefined || reason === 'http.injected-fault')) return only;
  const text = door === 'authorization' || reason === undefined ? (problem?.detail ?? reason ?? 'Another answer.') : textOf(reason);
  return {
    operation: operationId,
    status,
    ...(reason !== undefined && { rule: reason }),
    text,
    documented: false,
    isOf: (_, other) => other === reason,
  };
}

/** All 2xx statuses count as the same answer. */
const isSameStatus = (one: number, other: number): boolean => one === other || (one < 300 && other < 300);

function textOf(reason: string): string {
  try {
    return describeRule(reason).text;
  } catch {
    return reason;
  }
}

function answersOf(operation: OperationId): Answer[] {
  const { method, forms, statuses } = operations[operation];
  const line = `${method.toUpperCase()} ${forms.prefixed}`;
  const rulesOfOperation = (Object.entries(statusOf[operation]) as [RuleId, number][]).filter(
    ([rule, status]) => status >= 400 && isDistinct(rule),
  );
  const specific = rulesOfOperation.filter(([rule]) => (rules[rule].operations?.length ?? 0) <= MAX_OPERATIONS);
  const refusals = specific.map(([rule, status]): Answer => {
    const option = rules[rule].operations?.length === 1 ? '' : ` --operation ${operation}`;
    const provoke = `xpk fault add --fault problem --rule ${rule}${option} --times 1`;
    return { operation, status, rule, text: rules[rule].text, provoke, isOf: (_, reason) => reason === rule };
  });
  const isListed = (status: number | string) => refusals.some((refusal) => refusal.status === status && status !== 401);
  const others = (statuses as readonly (number | string)[]).filter((status) => Number(status) >= 400 && !isListed(status)).map(Number);
  const names = new Set(refusals.map(({ rule }) => rule));
  return [
    ...successesOf(operation, line),
    ...others.map((status): Answer => {
      const provoke = `xpk fault add --fault problem --status ${status} --operation ${operation} --times 1`;
      const text = status === 401 ? 'The access token is missing, invalid or expired.' : titleOf(operation, status);
      return { operation, status, text, provoke, isOf: (_, reason) => !names.has(reason ?? '') };
    }),
    ...refusals,
  ].sort((a, b) => a.status - b.status);
}

/** Describes when an operation responds with a status for which the specification states no rule. */
function titleOf(operation: OperationId, status: number): string {
  return listScenarios(operation).find(({ expected }) => expected.status === status)?.scenario.title ?? 'The request is refused.';
}

/** Returns whether a rule has its own response. Other rules are met with the request of another rule. */
function isDistinct(rule: RuleId): boolean {
  const entry = entries.find(([id]) => id === rule)?.[1];
  return entry !== undefined && isScenarios(entry);
}

function successesOf(operation: OperationId, line: string): Answer[] {
  const status = SUCCESSES[operation] ?? Number(operations[operation].successStatus);
  if (operation !== 'updateExperienceConnection')
    return [{ operation, status, text: 'The request succeeds.', provoke: line, isOf: () => true }];
  return (['ACTIVE', 'INACTIVE'] as const).map((state): Answer => {
    const rule: RuleId = state === 'ACTIVE' ? 'connections.update.activates' : 'connections.update.deactivates';
    const isOf = ({ request }: Call) => (request?.body as { state?: unknown } | undefined)?.state === state;
    return { operation, status, rule, text: rules[rule].text, provoke: `${line} {"state":"${state}"}`, isOf };
  });
}

const OAUTH: readonly Answer[] = [
  {
    operation: 'authorize',
    status: 303,
    text: 'The user approves, and the redirect carries a code.',
    provoke: 'GET /auth/authorize',
    isOf: ({ oauth }) => oauth?.issued?.code !== undefined,
  },
  {
    operation: 'authorize',
    status: 303,
    rule: 'oauth.callback.denied',
    text: 'The user declines, and the redirect carries an error.',
    provoke: 'xpk state set principals manager consent=declines',
    isOf: (_, reason) => reason === 'access_denied',
  },
  {
    operation: 'token',
    status: 200,
    text: 'The code or refresh token is exchanged for a token.',
    provoke: 'POST /auth/oauth/token',
    isOf: () => true,
  },
];
