import type { RuleOutcome } from '../outcome.ts';
import type { ScenarioResult } from './result.ts';
import type { FixedScenario } from './scenario.ts';
import { IN_ORDER_SCENARIOS } from './scenarios/basic.ts';

interface EndpointResults {
  readonly scenarios: readonly FixedScenario[];
  readonly results: ReadonlyMap<string, ScenarioResult>;
  readonly acknowledged: number;
  readonly answerWithinMs: number;
  /** The secret that signs the deliveries. Undefined if they are not signed. */
  readonly secret: string | undefined;
  /** Whether the check can see the consumer's state. */
  readonly hasState: boolean;
}

export function judgeEndpoint(endpointResults: EndpointResults): RuleOutcome[] {
  const failures = endpointResults.scenarios.flatMap((scenario) => {
    const result = endpointResults.results.get(scenario.id)!;
    // A scenario with an `observation` permits the consumer to refuse deliveries, but not to stop listening.
    const isJudgedHere = !scenario.refusalBreaksRule || (result.stopped && scenario.observation !== undefined);
    const isRefusal = result.failure === 'not-acknowledged' && isJudgedHere;
    return isRefusal || result.failure === 'late' ? [{ scenario, result }] : [];
  });
  const late = failures.filter(({ result }) => result.failure === 'late');
  const notAccepted = failures.filter(({ result: { status } }) => status === 405 || status === 415);
  const refused = failures.filter((each) => !late.includes(each) && !notAccepted.includes(each));
  const deliveries = `${endpointResults.acknowledged} deliveries`;
  const [inTime, asJson, with2xx] = [
    'events.endpoint.answers-in-time',
    'events.endpoint.accepts-json-post',
    'events.endpoint.acknowledges-with-2xx',
  ] as const;
  const promptly = `Answer within ${endpointResults.answerWithinMs / 1000} s, and do time-consuming work afterwards.`;
  const passed = [
    late.length === 0 && passIfAcknowledged(inTime, `${deliveries} were answered in time.`, endpointResults.acknowledged),
    notAccepted.length + late.length === 0 && passIfStored(asJson, `${deliveries} with a JSON body were accepted.`, endpointResults),
    failures.length === 0 && passIfStored(with2xx, `${deliveries} were acknowledged.`, endpointResults),
  ];
  return [
    ...toFailedOutcomes(inTime, late, promptly),
    ...toFailedOutcomes(asJson, notAccepted, 'Accept POST requests with the content type application/json, with or without a charset.'),
    ...toFailedOutcomes(with2xx, refused, 'Answer every valid event with a 2xx status, even if it is repeated or outdated.', (status) =>
      explainStatus(status, endpointResults.secret),
    ),
    ...passed.filter((outcome) => outcome !== false),
  ];
}

function toFailedOutcomes(
  rule: RuleOutcome['rule'],
  failures: readonly { scenario: FixedScenario; result: ScenarioResult }[],
  advice: string,
  explain: (status: number) => string = () => '',
): RuleOutcome[] {
  return failures.map(({ scenario: { title }, result: { message, timeline, status = 0 } }) => ({
    rule,
    title,
    verdict: 'failed',
    message: `${message}\n${advice}${explain(status)}`,
    timeline,
  }));
}

function explainStatus(status: number, secret: string | undefined): string {
  if (status >= 300 && status < 400) return ' A redirect is not an acknowledgement.';
  if (status !== 401 && status !== 403) return '';
  return secret === undefined
    ? '\nThe endpoint may have refused the signature, because this check does not sign its deliveries. To sign them, add --set events.delivery.signature=standard-webhooks or, in a running kit, set this decision of its world.'
    : `\nThe endpoint may have refused the signature. This check signs its deliveries with the secret ${secret}. To use another one, give the check the endpoint's secret (--secret or, in a request, the member secret).`;
}

function passIfAcknowledged(rule: RuleOutcome['rule'], title: string, acknowledged: number): RuleOutcome {
  if (acknowledged > 0) return { rule, title, verdict: 'passed', timeline: [] };
  return { rule, title, verdict: 'not-testable', reason: 'no delivery was acknowledged', timeline: [] };
}

/** Passes only if the consumer's state shows an event, because an endpoint may respond with 2xx and discard everything. */
export function passIfStored(
  rule: RuleOutcome['rule'],
  title: string,
  { results, acknowledged, hasState }: Pick<EndpointResults, 'results' | 'acknowledged' | 'hasState'>,
): RuleOutcome {
  if (Object.values(IN_ORDER_SCENARIOS).some((id) => results.get(id)?.verdict === 'passed'))
    return passIfAcknowledged(rule, title, acknowledged);
  const untested = { rule, title, verdict: 'not-testable', timeline: [] } as const;
  if (hasState) return { ...untested, reason: "the consumer's state shows no event that arrived in order" };
  return { ...untested, reason: 'a 2xx status alone does not show that the endpoint accepted the event', missing: ['--state-url'] };
}
