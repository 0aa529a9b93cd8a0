import type { Outcome } from '../outcome.ts';
import type { ScenarioResult } from './result.ts';
import { type FixedScenario, PLAIN } from './scenarios.ts';

/** What the scenarios showed of the endpoint. */
export interface EndpointSeen {
  readonly scenarios: readonly FixedScenario[];
  readonly results: ReadonlyMap<string, ScenarioResult>;
  /** The number of deliveries that were acknowledged. */
  readonly acknowledged: number;
  readonly answerWithinMs: number;
}

/** Judges the rules about the answers of the endpoint by all deliveries of the scenarios. */
export function endpointOutcomes(seen: EndpointSeen): Outcome[] {
  const failures = seen.scenarios.flatMap((scenario) => {
    const result = seen.results.get(scenario.id)!;
    // What a consumer may refuse must not stop it.
    const isJudgedHere = !scenario.refusalBreaksRule || (result.stopped && scenario.observation !== undefined);
    const isRefusal = result.failure === 'not-acknowledged' && isJudgedHere;
    return isRefusal || result.failure === 'late' ? [{ scenario, result }] : [];
  });
  const late = failures.filter(({ result }) => result.failure === 'late');
  const notAccepted = failures.filter(({ result: { status } }) => status === 405 || status === 415);
  const refused = failures.filter((each) => !late.includes(each) && !notAccepted.includes(each));
  const deliveries = `${seen.acknowledged} deliveries`;
  return [
    ...outcomesOf(
      'events.endpoint.answers-in-time',
      late,
      `Answer within ${seen.answerWithinMs / 1000} s, and do long work after the answer.`,
    ),
    ...outcomesOf(
      'events.endpoint.accepts-json-post',
      notAccepted,
      'Accept the method POST and the content type application/json, with or without a charset.',
    ),
    ...outcomesOf(
      'events.endpoint.acknowledges-with-2xx',
      refused,
      'Answer every valid event with a 2xx status, even if it is repeated or outdated. A redirect is not an acknowledgement.',
    ),
    ...(late.length === 0 ? [passed('events.endpoint.answers-in-time', `${deliveries} were answered in time.`, seen.acknowledged)] : []),
    ...(notAccepted.length + late.length === 0
      ? [proven('events.endpoint.accepts-json-post', `${deliveries} with a JSON body were accepted.`, seen)]
      : []),
    ...(failures.length === 0 ? [proven('events.endpoint.acknowledges-with-2xx', `${deliveries} were acknowledged.`, seen)] : []),
  ];
}

function outcomesOf(
  rule: Outcome['rule'],
  failures: readonly { scenario: FixedScenario; result: ScenarioResult }[],
  advice: string,
): Outcome[] {
  return failures.map(({ scenario: { title }, result: { message, timeline } }) => ({
    rule,
    title,
    verdict: 'failed',
    message: `${message}\n${advice}`,
    timeline,
  }));
}

function passed(rule: Outcome['rule'], title: string, acknowledged: number): Outcome {
  if (acknowledged > 0) return { rule, title, verdict: 'passed', timeline: [] };
  return { rule, title, verdict: 'not-testable', reason: 'no delivery was acknowledged', timeline: [] };
}

/** An endpoint may answer every request with a 2xx status and keep nothing. So the answers count only if the view shows an event. */
function proven(rule: Outcome['rule'], title: string, { results, acknowledged }: EndpointSeen): Outcome {
  if (Object.values(PLAIN).some((id) => results.get(id)?.verdict === 'passed')) return passed(rule, title, acknowledged);
  const reason = 'a 2xx status alone does not show that the endpoint accepted the event';
  return { rule, title, verdict: 'not-testable', reason, missing: ['--state-url'], timeline: [] };
}
