import type { ClientRuleId } from '../rules.ts';
import type { Call } from './call.ts';
import { AT_ONCE_MS, arrivalOf, clientOf, endOf, isSameRequest, isSentAfter, isSuccess, queryOf } from './history.ts';
import { type Finding, type JudgeRule, judgeEach } from './judgement.ts';

const READ_ONLY = ['id', 'accountId', 'updatedAt'];
const HOPELESS = [400, 401, 403, 404, 409, 422];
/** A repetition after this time may be a new attempt of a person or of another test. In milliseconds. */
const RETRY_MS = 10_000;
/** The number of later calls among which a repetition is searched for. */
const MAX_DISTANCE = 50;

export const requests = {
  'client.read-only-fields-not-sent': ({ api }) =>
    judgeEach(
      api.filter((call) => call.operationId === 'createExperienceAssignment' && memberNames(call).length > 0),
      'The client has to create an assignment.',
      (call) => {
        const sent = memberNames(call).filter((name) => READ_ONLY.includes(name));
        return sent.length === 0
          ? undefined
          : `The body contains the read-only fields ${sent.join(', ')}. Send only experienceId, targetType and targetValue.`;
      },
    ),

  'client.telephone-number-not-tn': ({ api }) =>
    judgeEach(
      api.filter(
        (call) => call.operationId === 'getExperienceConnections' && ['tn', 'telephoneNumber'].some((name) => queryOf(call).has(name)),
      ),
      'The client has to list connections by telephone number.',
      (call) => (queryOf(call).has('tn') ? 'The query contains the deprecated parameter tn. Send telephoneNumber.' : undefined),
    ),

  'assignability.check-first'({ api }) {
    const created = api.filter(({ operationId }) => operationId === 'createExperienceConnection');
    const isChecked = (call: Call) =>
      api.some(
        (check) =>
          check.operationId === 'getExperienceAssignability' &&
          isSuccess(check) &&
          arrivalOf(check) < arrivalOf(call) &&
          check.path.toLowerCase().includes(`/${String(memberOf(call, 'experienceId')).toLowerCase()}/`),
      );
    return judgeEach(
      created.filter((call) => memberOf(call, 'experienceId') !== undefined),
      'The client has to create a connection.',
      (call) =>
        isChecked(call)
          ? undefined
          : 'The client created a connection without an assignability check of its Experience. Send GET …/experiences/{experienceId}/assignability first.',
    );
  },

  'client.no-hopeless-retries'({ api }) {
    const byToken = Map.groupBy(api, ({ credential }) => credential?.fingerprint);
    const isRefused = ({ status = 0, step }: Call) => HOPELESS.includes(status) && step !== 'fault';
    const inTurn = [...byToken.values()].flatMap((calls) =>
      calls.map((call, index) => ({ call, rest: calls.slice(index + 1, index + MAX_DISTANCE) })),
    );
    const findings = inTurn.flatMap(({ call, rest }): Finding[] => {
      if (!isRefused(call)) return [];
      const after = rest.filter((other) => isSentAfter(call, other));
      const [next, third] = after;
      if (next === undefined || !isHopeless(call, next)) return [];
      // A client may poll until an entity exists. It pauses between the requests.
      const isPolling = arrivalOf(next) - endOf(call) > AT_ONCE_MS || third === undefined || !isHopeless(next, third);
      if (call.status === 404 && isPolling) return [];
      const message = `The client sent a request again that was refused with ${call.status}, although nothing had changed. Repeat only requests that got 429, 500 or 503.`;
      return [{ message, calls: [call, next], breaking: [next] }];
    });
    return {
      exercised: api.filter(isRefused),
      findings,
      needs: 'The service has to refuse a request of the client. Refusals that a fault provoked do not count.',
    };
  },
} satisfies Partial<Record<ClientRuleId, JudgeRule>>;

/** Returns whether the second request repeats the first one without a change, and is refused in the same way. */
const isHopeless = (one: Call, other: Call): boolean =>
  isSameRequest(one, other) && clientOf(one) === clientOf(other) && other.status === one.status && arrivalOf(other) - endOf(one) < RETRY_MS;

function memberNames({ request }: Call): string[] {
  const body = request?.body;
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? Object.keys(body) : [];
}

const memberOf = ({ request }: Call, name: string): unknown => (Object(request?.body) as Readonly<Record<string, unknown>>)[name];
