import { setTimeout as delay } from 'node:timers/promises';
import { getResponseData } from '../../control-client/client.ts';
import { DELETION_TYPES } from './check-entities.ts';
import { compareWithWorld, rememberOthers, saveConsumerTotal } from './compare-step.ts';
import { delayList } from './delayed-list.ts';
import { deliver, repeatUnacknowledged, send, sendAtOnce } from './deliver.ts';
import { describeEntity } from './describe.ts';
import { callHook } from './hooks.ts';
import { ScenarioEnd } from './result.ts';
import { writeDelivery } from './rewrite.ts';
import { addToTimeline, type RunningScenario } from './running-scenario.ts';
import type { Change, EntityName, Rewrite, Step } from './scenario.ts';
import { LATER_EVENTS } from './time-plan.ts';

/**
 * Rewritten `updatedAt` values start this many seconds after a scenario's first event, so that they are later than all `updatedAt` values
 * from the API.
 */
const BASE_OFFSET_SECONDS = 30;

export async function performStep(scenario: RunningScenario, step: Step): Promise<void> {
  switch (step.step) {
    case 'change':
      return changeWorld(scenario, step);
    case 'send':
      await send(scenario, step);
      return repeatUnacknowledged(scenario);
    case 'burst':
      addToTimeline(scenario, 'check', `Sends ${step.sends.length} deliveries at the same time.`);
      return sendAtOnce(scenario, step.sends);
    case 'compare':
      return compareWithWorld(scenario, step);
    case 'users-unavailable':
      return makeUsersUnavailable(scenario, step.account);
    case 'users-available':
      await removeFault(scenario);
      return repeatUnacknowledged(scenario);
    case 'restart':
      addToTimeline(scenario, 'check', 'Restarts the consumer.');
      scenario.lastRequestBeforeLoss = await readLastRequest(scenario);
      scenario.recovery = 'restart';
      return callHook(scenario.hooks, 'restart', scenario.endpoint, scenario.interrupt);
    case 'lose-store':
      return loseStore(scenario, step);
    case 'remember-total':
      return saveConsumerTotal(scenario);
    case 'remember-others':
      return rememberOthers(scenario);
    case 'wait-for-lists':
      return scenario.world.waitForLists();
    case 'later':
      addToTimeline(scenario, 'check', `Delivers ${LATER_EVENTS} events about other users.`);
      return void (await Promise.all([deliverManyEvents(scenario), delay(LATER_MS)]));
  }
}

/** More events than a small memory holds, and longer than a second. */
const [LATER_COPIES, LATER_MS] = [6, 1100];

async function deliverManyEvents({ timeline: _, ...rest }: RunningScenario): Promise<void> {
  const scenario = { ...rest, timeline: [], entities: new Map(), events: new Map(), unacknowledged: [] };
  for (let number = 0; number < LATER_EVENTS / 2 / LATER_COPIES; number++)
    for (const type of ['provisioning.user.created', 'provisioning.user.deleted'] as const) {
      const event = `${type} ${number}`;
      await changeWorld(scenario, { step: 'change', type, entity: `user ${number}`, event });
      await sendAtOnce(
        scenario,
        Array.from({ length: LATER_COPIES }, (_copy, copy) => ({ event, as: { ofOtherExperience: copy + 1 } })),
      );
    }
}

async function changeWorld(
  scenario: RunningScenario,
  { type, entity: name, event: eventName, account = 0, targetType }: Change,
): Promise<void> {
  const { world, entities, events } = scenario;
  const before = entities.get(name);
  if (before === undefined)
    for (const event of await world.prepareAccount(account))
      await deliver(scenario, writeDelivery(event, {}, 0), `${event.body.type} to prepare the account`);
  const { entity, event } = before
    ? { entity: before, event: await world.changeEntity(type, before) }
    : await world.createEntity(type, account, targetType);
  entities.set(name, { ...entity, name, isStateKnown: before?.isStateKnown ?? false });
  events.set(eventName, { ...event, type, entity: name, rewrite: {}, deliveries: 0 });
  scenario.baseMs ??= Math.ceil(Date.parse(event.body.data.updatedAt) / 1000 + BASE_OFFSET_SECONDS) * 1000;
  addToTimeline(scenario, 'world', `${type} of ${before === undefined ? describeEntity(name, entity) : name}`, {
    webhookId: event.webhookId,
  });
}

async function loseStore(
  scenario: RunningScenario,
  { list: kind = 'connections', during = [] }: Extract<Step, { step: 'lose-store' }>,
): Promise<void> {
  const { control, world, hooks, endpoint, interrupt } = scenario;
  const list = during.length > 0 ? await delayList(kind, control, world) : undefined;
  scenario.lastRequestBeforeLoss = await readLastRequest(scenario);
  scenario.recovery = 'lost-store';
  addToTimeline(scenario, 'check', 'Makes the consumer lose its store.');
  const lost = callHook(hooks, 'loseStore', endpoint, interrupt);
  lost.catch(() => {});
  if (list === undefined) return lost;
  try {
    // Do not wait for the hook's end, because the hook may wait until the consumer has rebuilt its store.
    await list.waitForRequest(lost);
    addToTimeline(
      scenario,
      'integration',
      `Lists the ${kind} of the account ${list.account}, and gets the response after the next deliveries.`,
    );
    scenario.isRebuilding = true;
    for (const step of during) await performStep(scenario, step);
    scenario.isRebuilding = false;
    await lost;
  } finally {
    // A hook that is still running would disturb the next scenario.
    await lost.catch(() => {});
    await list.release();
  }
}

async function readLastRequest({ control }: RunningScenario): Promise<number | undefined> {
  const [last] = await getResponseData(control.GET('/_control/requests', { params: { query: { limit: 1 } } }));
  return last?.number;
}

async function makeUsersUnavailable(scenario: RunningScenario, account: number): Promise<void> {
  const { world, control } = scenario;
  if (world.isPrepared(account)) {
    const reason = 'the world has too few accounts: the scenario needs an account whose users the consumer has not read yet';
    throw new ScenarioEnd({ verdict: 'not-testable', reason });
  }
  const body = { operation: 'getUsers', fault: 'problem', status: 503 } as const;
  scenario.fault = (await getResponseData(control.POST('/_control/faults', { body }))).id;
  addToTimeline(scenario, 'world', 'GET /users responds with 503 from now on.');
}

async function removeFault(scenario: RunningScenario): Promise<void> {
  const { fault: faultId, control } = scenario;
  if (faultId === undefined) return;
  await control.DELETE('/_control/faults/{faultId}', { params: { path: { faultId } } });
  scenario.fault = undefined;
  addToTimeline(scenario, 'world', 'GET /users works again.');
}

/** Deletes the remaining entities and delivers the deletion events. */
export async function cleanUp(scenario: RunningScenario): Promise<void> {
  const { world, endpoint, entities, events } = scenario;
  await removeFault(scenario);
  const latestTypes = new Map([...events.values()].map(({ entity, type }) => [entity, type]));
  for (const entity of entities.values()) {
    if (latestTypes.get(entity.name)?.endsWith('.deleted')) continue;
    const event = await world.changeEntity(DELETION_TYPES[entity.kind], entity);
    if (scenario.isAnswering && endpoint.stopped === undefined)
      await endpoint.deliver(writeDelivery(event, createLatestUpdatedAtRewrite(scenario, entity.name), scenario.baseMs!));
  }
}

function createLatestUpdatedAtRewrite({ events }: RunningScenario, name: EntityName): Rewrite {
  const instants = [...events.values()].flatMap(({ entity, rewrite }) => (entity === name ? (rewrite.updatedAt?.seconds ?? []) : []));
  return instants.length === 0 ? {} : { updatedAt: { seconds: Math.max(...instants) + 1 } };
}
