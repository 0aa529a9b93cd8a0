import type { ClientRuleId } from '../rules.ts';
import { describeRule } from '../scenarios/list-scenarios.ts';
import type { Call } from './call.ts';
import { AT_ONCE_MS, getArrivalMs, getClient, getResponseEndMs, isSameRequest, isSentAfter, isSuccess, parseQuery } from './history.ts';
import { type Breach, type JudgeRule, judgeEach } from './judgement.ts';
import { getRefusingRule, isUnexplained } from './refusing-rule.ts';

const READ_ONLY_FIELDS = ['id', 'accountId', 'updatedAt'];
const HOPELESS_STATUSES = [400, 401, 403, 404, 409, 422];
/** After this time, in milliseconds, an equal request may be a user's new attempt. */
const MAX_RETRY_MS = 10_000;
const MAX_LATER_CALLS = 50;
/** The most polls within this time, in milliseconds, for what does not exist yet. */
const [MAX_POLLS, POLLING_MS] = [5, 1000];

const MAX_PAGE_SIZES: Readonly<Record<string, number>> = { getExperienceAssignments: 100, getExperienceConnections: 100, getUsers: 200 };
/** Refusals of requests that no user of a client can cause. */
const MALFORMED_PATTERN =
  /^(?:(?!connections\.create).*\.(?:filter-required|value-needs-type|experience-needs-account|type-alone|target-type-not-allowed|target-missing|selector-required|account-id-required|required-field)|http\.(?:unknown-route|method-not-allowed|malformed-body|unsupported-media-type|duplicate-parameter)|assignments\.create\.malformed-body|connections\.(?:create|update)\.malformed)$/;
/** Refusals of values that a client's user may have entered. */
const WRONG_VALUE_PATTERN = /^(?!connections\.create|connections\.update).*(?:-uuid|-format|\.invalid-value)$/;
const EXPERIENCE_PATTERN = /\/([^/]+)\/assignability(?:\?|$)/;
/** A program may request other paths to see whether the server runs. */
const OPERATION_PATH_PATTERN =
  /^\/(?:auth\/)?(?:experiences?|experience-\w+|assignments|connections|users?|authorize|token|oauth)(?:[/?]|$)/;

export const judgesForRequestRules = {
  'client.requests.well-formed'({ calls, api }) {
    const succeeded = new Set(api.filter(isSuccess).map(describeShape));
    const sent = calls.filter((call) =>
      call.operationId === undefined ? OPERATION_PATH_PATTERN.test(call.path) : call.door === 'service' && !isUnexplained(call),
    );
    return judgeEach(sent, 'The client has to send a request to an operation.', (call) => {
      const rule = getRefusingRule(call);
      if (rule === undefined) return undefined;
      const isPlusLost = WRONG_VALUE_PATTERN.test(rule) && LOST_PLUS_PATTERN.test(call.path);
      const isWrongValue = WRONG_VALUE_PATTERN.test(rule) && !succeeded.has(describeShape(call));
      if (!MALFORMED_PATTERN.test(rule) && !isPlusLost && !isWrongValue) return undefined;
      const advice = isPlusLost ? ' In a query, encode the plus sign of a phone number as %2B.' : '';
      return `The service refused the request with ${call.status}, because of the rule ${rule}: ${describeRule(rule).text}${advice}`;
    });
  },

  'client.page-size.in-range': ({ api }) =>
    judgeEach(
      api.filter((call) => (call.operationId ?? '') in MAX_PAGE_SIZES && call.method === 'GET' && parseQuery(call).has('pageSize')),
      'The client has to request a list with a pageSize.',
      (call) => {
        const [size = '', maximum] = [parseQuery(call).getAll('pageSize').join(), MAX_PAGE_SIZES[call.operationId!]!];
        if (/^\d+$/.test(size) && Number(size) >= 1 && Number(size) <= maximum) return undefined;
        return `The request has pageSize=${size}. For this list, send an integer from 1 to ${maximum}.`;
      },
    ),

  'client.read-only-fields-not-sent': ({ api }) =>
    judgeEach(
      api.filter((call) => call.operationId === 'createExperienceAssignment' && getMemberNames(call).length > 0),
      'The client has to create an assignment.',
      (call) => {
        const sent = getMemberNames(call).filter((name) => READ_ONLY_FIELDS.includes(name));
        return sent.length === 0
          ? undefined
          : `The body contains the read-only fields ${sent.join(', ')}. Send only experienceId, targetType and targetValue.`;
      },
    ),

  'client.listed-filters': ({ api }) =>
    judgeEach(
      api.filter((call) => call.operationId === 'getExperienceAssignments'),
      'The client has to list assignments.',
      (call) =>
        ['accountId', 'targetValue'].every((name) => parseQuery(call).has(name))
          ? 'The specification does not list the combination of accountId and targetValue, so a service may refuse it with 400. Send targetType and targetValue without accountId.'
          : undefined,
    ),

  'client.telephone-number-not-tn': ({ api }) =>
    judgeEach(
      api.filter(
        (call) => call.operationId === 'getExperienceConnections' && ['tn', 'telephoneNumber'].some((name) => parseQuery(call).has(name)),
      ),
      'The client has to list connections by telephone number.',
      (call) => (parseQuery(call).has('tn') ? 'The query contains the deprecated parameter tn. Send telephoneNumber.' : undefined),
    ),

  'assignability.check-first'({ api }) {
    const created = api.filter(({ operationId }) => operationId === 'createExperienceConnection');
    const checks = api.filter((call) => call.operationId === 'getExperienceAssignability' && isSuccess(call));
    // Later entries replace earlier ones, so the first check of an Experience remains.
    const checkedMs = new Map(
      checks.toReversed().map((call) => [EXPERIENCE_PATTERN.exec(call.path)?.[1]?.toLowerCase(), getArrivalMs(call)]),
    );
    const isChecked = (call: Call) => (checkedMs.get(`${getMember(call, 'experienceId')}`.toLowerCase()) ?? Infinity) < getArrivalMs(call);
    return judgeEach(
      created.filter((call) => typeof getMember(call, 'experienceId') === 'string'),
      'The client has to create a connection.',
      (call) =>
        isChecked(call)
          ? undefined
          : 'The client created a connection without a successful assignability check before it. Send GET …/experiences/{experienceId}/assignability first.',
    );
  },

  'client.no-hopeless-retries'({ api }) {
    const byToken = Map.groupBy(api, ({ credential }) => credential?.fingerprint);
    const isRefused = ({ status = 0, step }: Call) => HOPELESS_STATUSES.includes(status) && step !== 'fault';
    const callsWithLater = [...byToken.values()].flatMap((calls) =>
      calls.map((call, index) => ({ call, later: calls.slice(index + 1, index + MAX_LATER_CALLS) })),
    );
    const findings = callsWithLater.flatMap(({ call, later }): Breach[] => {
      if (!isRefused(call)) return [];
      const after = later.filter((other) => isSentAfter(call, other));
      const [next, third] = after;
      if (next === undefined || !isHopelessRetry(call, next)) return [];
      // A client may poll, with pauses, until an entity exists.
      const isRepeatedAtOnce =
        getArrivalMs(next) - getResponseEndMs(call) <= AT_ONCE_MS && third !== undefined && isHopelessRetry(next, third);
      const polls = after.filter((other) => isHopelessRetry(call, other) && getArrivalMs(other) - getArrivalMs(call) < POLLING_MS);
      if (call.status === 404 && !isRepeatedAtOnce && polls.length < MAX_POLLS) return [];
      const message = `The client repeated a request that was refused with ${call.status}, although nothing had changed. Repeat only requests that got 429, 500 or 503.`;
      return [{ message, calls: [call, next], breaking: [next] }];
    });
    return {
      exercised: api.filter(isRefused),
      findings,
      needs: 'The service has to refuse a request from the client. Refusals that a fault causes do not count.',
    };
  },
} satisfies Partial<Record<ClientRuleId, JudgeRule>>;

/** Names the operation, the parameters and the type of the target, but not the other values. */
function describeShape(call: Call): string {
  const names = [...parseQuery(call)].map(([name, value]) => (name === 'targetType' ? value : name));
  return [
    call.operationId,
    JSON.stringify(getMember(call, 'targetType')),
    ...names.filter((name) => name !== 'cursor' && name !== 'pageSize').sort(),
  ].join();
}

/** Matches a phone number in a query whose plus sign became a space. */
const LOST_PLUS_PATTERN = /[?&](?:targetValue|telephoneNumber|tn)=(?:\+|%20)\d/;

const isHopelessRetry = (first: Call, second: Call): boolean =>
  isSameRequest(first, second) &&
  getClient(first) === getClient(second) &&
  second.status === first.status &&
  getArrivalMs(second) - getResponseEndMs(first) < MAX_RETRY_MS;

function getMemberNames({ request }: Call): string[] {
  const body = request?.body;
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.keys(body) : [];
}

const getMember = ({ request }: Call, name: string): unknown => (Object(request?.body) as Readonly<Record<string, unknown>>)[name];
