import type { Results } from '../../contract/generated/results.ts';
import type { ControlClient } from '../../control-client/client.ts';
import { isAcknowledgement } from '../../domain/deliveries.ts';
import { validateEvent } from '../../expect/event.ts';
import type { Call } from '../client/call.ts';
import { readCalls } from '../client/journal.ts';
import type { RuleOutcome } from '../outcome.ts';
import { type CheckRun, toResults } from '../results.ts';
import type { WebhookRuleId } from '../rules.ts';
import { findDeliveries, getProxyProblem, type PassedDelivery } from '../service/deliveries.ts';

/** The time to respond, in milliseconds (Limits). The specification says "about", so a slightly longer time shows nothing. */
const ANSWER_WITHIN_MS = 15_000;
const CERTAINLY_LATE_MS = 16_000;
/** An endpoint may refuse an event now and then, because the service sends it again. */
const ENOUGH_REFUSALS = 3;
const MAX_FINDINGS = 3;

interface EndpointRun extends Pick<CheckRun, 'url' | 'name' | 'rules'> {
  readonly calls: readonly Call[];
}

/** Judges an endpoint by the deliveries in the journal of a proxy. @param url the proxy's base URL */
export async function judgeEndpointByJournal(control: ControlClient, url: string, rules: EndpointRun['rules']): Promise<Results> {
  const { calls } = await readCalls(control);
  return createEndpointResults({ calls, url, name: `${url}, by the deliveries that passed`, rules });
}

/** Judges which rules an endpoint follows, by what passed a proxy. Most rules are about the consumer's state, which does not pass. */
export function createEndpointResults({ calls, ...run }: EndpointRun): Results {
  const startedAt = new Date();
  return toResults({
    ...run,
    check: 'webhook',
    outcomes: judgeDeliveries(findDeliveries(calls, run.url)).filter(({ rule }) => run.rules?.includes(rule) ?? true),
    startedAt,
    durationMs: Date.now() - startedAt.getTime(),
    untested: 'the deliveries that passed do not show it; test it with: xpk check webhook URL',
  });
}

export function judgeDeliveries(deliveries: readonly PassedDelivery[]): RuleOutcome[] {
  // Without an endpoint, the proxy itself answers.
  const passed = deliveries.filter(({ call }) => getProxyProblem(call) !== 'proxy.unknown-hook');
  const valid = passed.filter(({ method, isWhole, webhookId }) => method === 'POST' && isWhole && webhookId !== undefined);
  const documented = valid.filter((each) => each.type !== undefined && validateEvent(each.type, each).length === 0);
  const unknown = valid.filter(({ type, event }) => type === undefined && /^[^.]+\.[^.]+\.[^.]+$/.test(String(event.type)));
  return [
    ...judgeTimes(passed),
    ...judgeEvents('events.endpoint.accepts-json-post', documented, isNotAccepted),
    ...judgeEvents('events.endpoint.acknowledges-with-2xx', documented, (each) => isRefusal(each) && !isNotAccepted(each)),
    ...judgeEvents('events.consumer.accepts-unknown-types', unknown, isRefusal),
  ];
}

const ADVICE = {
  'events.endpoint.answers-in-time': 'Answer within 15 s, and do time-consuming work afterwards.',
  'events.endpoint.accepts-json-post': 'Accept POST requests with the content type application/json.',
  'events.endpoint.acknowledges-with-2xx':
    'Answer every valid event with a 2xx status, even if it is repeated or outdated. A redirect is not an acknowledgement.',
  'events.consumer.accepts-unknown-types': 'Acknowledge events of types that you do not know, and ignore them.',
} as const satisfies Partial<Record<WebhookRuleId, string>>;
type JudgedRule = keyof typeof ADVICE;

const getStatus = ({ call: { status = 0 } }: PassedDelivery): number => status;
const isNotAccepted = (each: PassedDelivery): boolean => [405, 415].includes(getStatus(each));
/** A status that another attempt does not change. */
const isRefusal = (each: PassedDelivery): boolean =>
  getStatus(each) >= 300 && getStatus(each) < 500 && ![408, 425, 429].includes(getStatus(each));

function judgeTimes(deliveries: readonly PassedDelivery[]): RuleOutcome[] {
  const rule = 'events.endpoint.answers-in-time';
  const late = deliveries.filter(({ call }) => call.durationMs > CERTAINLY_LATE_MS);
  const inTime = deliveries.filter(
    ({ call, answer }) => answer.status !== 0 && !getProxyProblem(call) && call.durationMs <= ANSWER_WITHIN_MS,
  );
  if (late.length > 0) return fail(rule, late);
  return inTime.length > 0 ? [pass(rule, inTime)] : [];
}

/** Judges each event that was acknowledged, or refused so often or in such a way that a repeat changes nothing. */
function judgeEvents(
  rule: JudgedRule,
  deliveries: readonly PassedDelivery[],
  isBroken: (delivery: PassedDelivery) => boolean,
): RuleOutcome[] {
  const events = [...Map.groupBy(deliveries, ({ hook, webhookId }) => `${hook} ${webhookId}`).values()];
  const acknowledged = events.flatMap((attempts) => attempts.find((each) => isAcknowledgement(getStatus(each))) ?? []);
  const others = events.filter((attempts) => !attempts.some((each) => acknowledged.includes(each)));
  const isAboutStatus = rule === 'events.endpoint.acknowledges-with-2xx';
  const broken = others.flatMap(
    (attempts) => attempts.find(isBroken) ?? (isAboutStatus && attempts.length >= ENOUGH_REFUSALS ? attempts.at(-1)! : []),
  );
  if (broken.length > 0) return fail(rule, broken);
  return acknowledged.length > 0 ? [pass(rule, acknowledged)] : [];
}

const pass = (rule: WebhookRuleId, shown: readonly PassedDelivery[]): RuleOutcome => ({
  rule,
  title: `${shown.length === 1 ? 'One delivery shows' : `${shown.length} deliveries show`} that the endpoint follows the rule.`,
  verdict: 'passed',
  timeline: [],
});

const fail = (rule: JudgedRule, broken: readonly PassedDelivery[]): RuleOutcome[] =>
  broken.slice(0, MAX_FINDINGS).map((delivery, index) => {
    const others = index === 0 && broken.length > MAX_FINDINGS ? ` (${broken.length - MAX_FINDINGS} more are omitted.)` : '';
    const answered = describeAnswer(delivery);
    const { at, number, method, path, traceId, request, response } = delivery.call;
    const { webhookId, event } = delivery;
    const type = String(event.type);
    const step = { at, by: 'service', text: `#${number} ${method} ${path} (${type}): ${answered}`, traceId, violation: true } as const;
    const facts = { ...(webhookId !== undefined && { webhookId }), ...(request && { request }), ...(response && { response }) };
    return {
      rule,
      title: `The delivery #${number}`,
      verdict: 'failed',
      message: `The delivery of ${type} was ${answered}.\n${ADVICE[rule]}${others}`,
      timeline: [{ ...step, ...facts }],
    };
  });

function describeAnswer({ call }: PassedDelivery): string {
  const seconds = `after ${(call.durationMs / 1000).toFixed(1)} s`;
  if (call.status === undefined) return `not answered before the service closed the connection, ${seconds}`;
  return getProxyProblem(call)
    ? `not answered by the endpoint (${call.problem?.detail ?? call.problem?.title}), ${seconds}`
    : `answered ${call.status}, ${seconds}`;
}
