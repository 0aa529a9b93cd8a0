import type { ClientRuleId } from '../rules.ts';
import type { Call } from './call.ts';
import { AT_ONCE_MS, getArrivalMs, getClient, getResponseEndMs, isSameRequest, isSentAfter, isSuccess, parseQuery } from './history.ts';
import { type Breach, type JudgeRule, judgeEach } from './judgement.ts';

const READ_ONLY_FIELDS = ['id', 'accountId', 'updatedAt'];
const HOPELESS_STATUSES = [400, 401, 403, 404, 409, 422];
/** After this time, in milliseconds, an equal request may be a user's new attempt. */
const MAX_RETRY_MS = 10_000;
const MAX_LATER_CALLS = 50;

export const judgesForRequestRules = {
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
    const isChecked = (call: Call) =>
      api.some(
        (check) =>
          check.operationId === 'getExperienceAssignability' &&
          isSuccess(check) &&
          getArrivalMs(check) < getArrivalMs(call) &&
          check.path.toLowerCase().includes(`/${String(getMember(call, 'experienceId')).toLowerCase()}/`),
      );
    return judgeEach(
      created.filter((call) => getMember(call, 'experienceId') !== undefined),
      'The client has to create a connection.',
      (call) =>
        isChecked(call)
          ? undefined
          : 'The client created a connection without an assignability check. Send GET …/experiences/{experienceId}/assignability first.',
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
      const isPolling = getArrivalMs(next) - getResponseEndMs(call) > AT_ONCE_MS || third === undefined || !isHopelessRetry(next, third);
      if (call.status === 404 && isPolling) return [];
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
