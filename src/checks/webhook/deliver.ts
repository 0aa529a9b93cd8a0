import { describeAttempt, toTimelineEntry } from './describe.ts';
import type { DeliveryAnswer } from './endpoint.ts';
import { ScenarioEnd } from './result.ts';
import { type Delivery, writeDelivery } from './rewrite.ts';
import type { RunningScenario, ScenarioEvent } from './running-scenario.ts';
import type { Send } from './scenario.ts';

/**
 * @param isBurst whether the endpoint may refuse, because other deliveries arrive at the same time
 * @throws ScenarioEnd if the endpoint has to acknowledge the event, but does not
 */
export async function send(
  scenario: RunningScenario,
  { event: name, as, loseAnswer = false }: Omit<Send, 'step'>,
  isBurst = false,
): Promise<void> {
  const { events, entities, baseMs } = scenario;
  const event = events.get(name);
  if (event === undefined) throw new Error(`The scenario sends the event ${name}, but no earlier step publishes this event.`);
  const { ofOtherExperience, otherSpelling, ...lasting } = as ?? {};
  event.rewrite = { ...event.rewrite, ...lasting };
  const delivery = writeDelivery(
    event,
    { ...event.rewrite, ...(ofOtherExperience && { ofOtherExperience }), ...(otherSpelling && { otherSpelling }) },
    baseMs!,
  );
  const repeated = event.deliveries > 0 && !ofOtherExperience ? ', a repeat' : '';
  event.deliveries++;
  const entity = entities.get(event.entity)!;
  if (entity.kind === 'connections' && /\.(de)?activated$/.test(event.type)) entities.set(event.entity, { ...entity, isStateKnown: true });
  await deliver(scenario, delivery, `${event.type} of ${event.entity}${repeated}`, event, { loseAnswer, isBurst });
}

/** An endpoint that handles one delivery after the other must have the time to answer them all. */
export async function sendAtOnce(scenario: RunningScenario, sends: readonly Omit<Send, 'step'>[]): Promise<void> {
  const most = scenario.endpoint.maxSimultaneous;
  for (let at = 0; at < sends.length; at += most)
    await Promise.all(sends.slice(at, at + most).map((each) => send(scenario, each, sends.length > 1)));
  return repeatUnacknowledged(scenario);
}

/** Does nothing while GET /users fails. */
export async function repeatUnacknowledged(scenario: RunningScenario): Promise<void> {
  if (scenario.fault !== undefined) return;
  for (const { delivery, description, event } of scenario.unacknowledged.splice(0))
    await deliver(scenario, delivery, `${description.replace(/, a repeat$/, '')}, a repeat`, event);
}

/** The endpoint may refuse while GET /users fails or an earlier event is missing. */
export async function deliver(
  scenario: RunningScenario,
  delivery: Delivery,
  description: string,
  event?: ScenarioEvent,
  { loseAnswer = false, isBurst = false } = {},
): Promise<void> {
  const { endpoint, fault, unacknowledged } = scenario;
  if (endpoint.stopped !== undefined) throw new ScenarioEnd({ verdict: 'not-testable', reason: endpoint.stopped });
  const isEarly = isBurst || (event !== undefined && hasUnsentEarlierEvent(scenario, event));
  const answer = await endpoint.deliver(delivery, { loseAnswer, once: fault !== undefined, brief: isEarly });
  const hasStopped = answer.stopped && !scenario.isRebuilding;
  const isRepeatedLater = (fault !== undefined || isEarly) && !answer.attempts.at(-1)!.late && !hasStopped;
  for (const [index, attempt] of answer.attempts.entries()) {
    const violation = !answer.acknowledged && !isRepeatedLater && index === answer.attempts.length - 1;
    scenario.timeline.push({ ...toTimelineEntry(attempt, delivery, description), ...(violation && { violation }) });
  }
  if (answer.acknowledged) return void scenario.unsettled++;
  if (hasStopped) endpoint.stopped ??= describeEndpointStop(scenario, answer, description);
  if (!isRepeatedLater) failUnacknowledged(scenario, answer, description);
  unacknowledged.push({ delivery, description, event });
}

function hasUnsentEarlierEvent({ events }: RunningScenario, event: ScenarioEvent): boolean {
  const ofEntity = [...events.values()].filter(({ entity }) => entity === event.entity);
  return ofEntity.slice(0, ofEntity.indexOf(event)).some(({ deliveries }) => deliveries === 0);
}

function describeEndpointStop({ title }: RunningScenario, { attempts: [first] }: DeliveryAnswer, description: string): string {
  const when = /refused/.test(describeAttempt(first!)) ? 'before it received' : 'while it handled';
  return `The endpoint stopped listening ${when} ${description} in the scenario "${title}"`;
}

function failUnacknowledged(scenario: RunningScenario, { attempts }: DeliveryAnswer, description: string): never {
  const { endpoint } = scenario;
  scenario.isAnswering = false;
  const last = attempts.at(-1)!;
  const status = 'status' in last.result ? last.result.status : undefined;
  const message = last.late
    ? `The endpoint did not answer in time: ${description}.`
    : endpoint.stopped !== undefined
      ? `${endpoint.stopped} Nothing accepts connections at ${endpoint.url} anymore. Look for the error that ended the endpoint's process.`
      : `The endpoint did not acknowledge a delivery with a 2xx status in ${attempts.length} attempts: ${description}, ${describeAttempt(last)}.`;
  const failure = last.late ? 'late' : 'not-acknowledged';
  throw new ScenarioEnd({ verdict: 'failed', failure, status, stopped: endpoint.stopped !== undefined, message });
}
