import type { RuleOutcome } from '../outcome.ts';
import type { ScenarioResult } from './result.ts';
import type { FixedScenario } from './scenario.ts';
import { IN_ORDER_SCENARIOS } from './scenarios/basic.ts';

export interface EndpointResults {
  readonly scenarios: readonly FixedScenario[];
  readonly results: ReadonlyMap<string, ScenarioResult>;
  readonly acknowledged: number;
  readonly answerWithinMs: number;
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
  return [
    ...toFailedOutcomes(
      'events.endpoint.answers-in-time',
      late,
      `Answer within ${endpointResults.answerWithinMs / 1000} s, and do time-consuming work afterwards.`,
    ),
    ...toFailedOutcomes(
      'events.endpoint.accepts-json-post',
      notAccepted,
      'Accept POST requests with the content type application/json, with or without a charset.',
    ),
    ...toFailedOutcomes(
      'events.endpoint.acknowledges-with-2xx',
      refused,
      'Answer every valid event with a 2xx status, even if it is repeated or outdated. A redirect is not an acknowledgement.',
    ),
    ...(late.length === 0
      ? [passIfAcknowledged('events.endpoint.answers-in-time', `${deliveries} were answered in time.`, endpointResults.acknowledged)]
      : []),
    ...(notAccepted.length + late.length === 0
      ? [passIfStored('events.endpoint.accepts-json-post', `${deliveries} with a JSON body were accepted.`, endpointResults)]
      : []),
    ...(failures.length === 0
      ? [passIfStored('events.endpoint.acknowledges-with-2xx', `${deliveries} were acknowledged.`, endpointResults)]
      : []),
  ];
}

function toFailedOutcomes(
  rule: RuleOutcome['rule'],
  failures: readonly { scenario: FixedScenario; result: ScenarioResult }[],
  advice: string,
): RuleOutcome[] {
  return failures.map(({ scenario: { title }, result: { message, timeline } }) => ({
    rule,
    title,
    verdict: 'failed',
    message: `${message}\n${advice}`,
    timeline,
  }));
}

function passIfAcknowledged(rule: RuleOutcome['rule'], title: string, acknowledged: number): RuleOutcome {
  if (acknowledged > 0) return { rule, title, verdict: 'passed', timeline: [] };
  return { rule, title, verdict: 'not-testable', reason: 'no delivery was acknowledged', timeline: [] };
}

/** Passes only if the consumer's state shows an event, because an endpoint may respond with 2xx and discard everything. */
function passIfStored(rule: RuleOutcome['rule'], title: string, { results, acknowledged }: EndpointResults): RuleOutcome {
  if (Object.values(IN_ORDER_SCENARIOS).some((id) => results.get(id)?.verdict === 'passed'))
    return passIfAcknowledged(rule, title, acknowledged);
  const reason = 'a 2xx status alone does not show that the endpoint accepted the event';
  return { rule, title, verdict: 'not-testable', reason, missing: ['--state-url'], timeline: [] };
}
