import { setTimeout as delay } from 'node:timers/promises';
import type { EventType } from '../../contract/generated/events.ts';
import { type ControlClient, getResponseData } from '../../control-client/client.ts';
import type { TimelineEntry } from '../outcome.ts';
import type { CheckWorld, EntityKind, PublishedEvent } from './check-world.ts';
import {
  type Comparison,
  compareApplied,
  compareEntities,
  compareTotal,
  compareUnique,
  compareUsers,
  describeShownState,
  type ScenarioEntity,
} from './compare.ts';
import { delayList } from './delayed-list.ts';
import { describeAttempt, describeEntity, toTimelineEntry } from './describe.ts';
import type { DeliveryAnswer, Endpoint } from './endpoint.ts';
import { callHook, type Hooks } from './hooks.ts';
import { ScenarioEnd } from './result.ts';
import { type Delivery, writeDelivery } from './rewrite.ts';
import type { Change, Compare, EntityName, EventName, Rewrite, Scenario, Send, Step } from './scenario.ts';
import type { ConsumerState } from './view.ts';
import type { ViewPoller } from './view-poller.ts';

export interface RunnerDeps {
  readonly world: CheckWorld;
  readonly endpoint: Endpoint;
  readonly control: ControlClient;
  readonly viewPoller: ViewPoller;
  readonly hooks: Hooks;
}

interface PerformDeps extends RunnerDeps {
  readonly timeline: TimelineEntry[];
  readonly later: () => Promise<void>;
}

interface ScenarioEvent extends PublishedEvent {
  readonly name: EventName;
  readonly type: EventType;
  readonly entity: EntityName;
  /** How to rewrite every delivery of the event. */
  rewrite: Rewrite;
  deliveries: number;
}

/** A delivery that the endpoint did not acknowledge. It is repeated later. */
type UnacknowledgedDelivery = { readonly delivery: Delivery; readonly what: string };

interface DeliverOptions {
  readonly loseAnswer?: boolean;
  /** The event, if the endpoint may refuse it because an earlier event of the same entity was not sent yet. */
  readonly early?: ScenarioEvent | undefined;
}

/**
 * Seconds from a scenario's first event to its base instant. Rewritten instants are relative to the base instant, and must be later than
 * those of entities in the API, because a consumer may compare the two.
 */
const BASE_OFFSET_SECONDS = 30;

/** Creates functions that perform a scenario. `cleanUp` deletes the remaining entities and delivers the deletion events. */
export function performScenario(scenario: Scenario, deps: PerformDeps): { performSteps(): Promise<void>; cleanUp(): Promise<void> } {
  const { world, endpoint, control, viewPoller, hooks, timeline } = deps;
  const entities = new Map<EntityName, ScenarioEntity>();
  const deleted = new Set<EntityName>();
  const events = new Map<EventName, ScenarioEvent>();
  /** Deliveries that the endpoint did not acknowledge while GET /users failed. */
  const unacknowledged: UnacknowledgedDelivery[] = [];
  /** Deliveries that the endpoint refused because an earlier event of the same entity was not sent yet. */
  const refusedEarly: (UnacknowledgedDelivery & { readonly event: ScenarioEvent })[] = [];
  let baseMs: number | undefined;
  let fault: string | undefined;
  let isAnswering = true;
  let totalBefore: number | undefined;
  /** Whether the consumer is rebuilding its store. Meanwhile it may refuse connections. */
  let isRebuilding = false;
  /** The number of the last journal entry before the consumer lost its store. */
  let lostAt: number | undefined;

  const addToTimeline = (by: TimelineEntry['by'], text: string, more: Partial<TimelineEntry> = {}) =>
    void timeline.push({ at: new Date().toISOString(), by, text, ...more });

  async function perform(step: Step): Promise<void> {
    switch (step.step) {
      case 'change':
        return change(step);
      case 'send':
        await send(step);
        return repeatRefusedEarly();
      case 'burst':
        addToTimeline('check', `Sends ${step.sends.length} deliveries at the same time.`);
        await Promise.all(step.sends.map(send));
        return repeatRefusedEarly();
      case 'compare':
        return compare(step);
      case 'users-unavailable':
        return makeUsersUnavailable(step.account);
      case 'users-available':
        return repeatUnacknowledged();
      case 'restart':
        addToTimeline('check', 'Restarts the consumer.');
        return callHook(hooks, 'restart', endpoint.url);
      case 'lose-store':
        return loseStore(step);
      case 'remember-total':
        return rememberTotal();
      case 'wait-for-lists':
        return void (await delay(world.listLagMs));
      case 'later':
        return deps.later();
    }
  }

  async function change({ type, entity: name, event: eventName, account = 0, targetType }: Change): Promise<void> {
    const before = entities.get(name);
    if (before === undefined)
      for (const event of await world.prepare(account))
        await deliver(writeDelivery(event, {}, 0), `${event.body.type} of the account, which the scenario needs`, {});
    const { entity, event } = await world.change(before === undefined ? { type, account, targetType } : { type, entity: before.entity });
    entities.set(name, { ...entity, entity, name, isStateKnown: before?.isStateKnown ?? false });
    if (type.endsWith('.deleted')) deleted.add(name);
    events.set(eventName, { ...event, name: eventName, type, entity: name, rewrite: {}, deliveries: 0 });
    baseMs ??= Math.ceil(Date.parse(event.body.data.updatedAt) / 1000 + BASE_OFFSET_SECONDS) * 1000;
    addToTimeline('world', `${type} of ${before === undefined ? describeEntity(name, entity) : name}`, {
      webhookId: event.webhookId,
    });
  }

  async function send({ event: name, as, loseAnswer = false }: Omit<Send, 'step'>): Promise<void> {
    const event = events.get(name);
    if (event === undefined) throw new Error(`The scenario sends ${name} before the change that publishes it.`);
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
    if (entity.kind === 'connections' && /\.(de)?activated$/.test(event.type))
      entities.set(event.entity, { ...entity, isStateKnown: true });
    await deliver(delivery, `${event.type} of ${event.entity}${repeated}`, { loseAnswer, early: isEarly(event) ? event : undefined });
  }

  /**
   * Returns whether an earlier event of the same entity was not sent yet. A consumer may refuse an event of an unknown entity. The event is
   * then repeated after the earlier one.
   */
  function isEarly(event: ScenarioEvent): boolean {
    const ofEntity = [...events.values()].filter(({ entity }) => entity === event.entity);
    return ofEntity.slice(0, ofEntity.indexOf(event)).some(({ deliveries }) => deliveries === 0);
  }

  async function repeatRefusedEarly(): Promise<void> {
    for (const { delivery, what, event } of refusedEarly.splice(0))
      await deliver(delivery, what, { early: isEarly(event) ? event : undefined });
  }

  async function deliver(delivery: Delivery, what: string, { loseAnswer = false, early }: DeliverOptions): Promise<void> {
    if (endpoint.stopped !== undefined) throw new ScenarioEnd({ verdict: 'not-testable', reason: endpoint.stopped });
    const answer = await endpoint.deliver(delivery, { loseAnswer, once: fault !== undefined, brief: early !== undefined });
    const hasStopped = answer.stopped && !isRebuilding;
    const isRepeatedLater = (fault !== undefined || early !== undefined) && !answer.attempts.at(-1)!.late && !hasStopped;
    for (const [index, attempt] of answer.attempts.entries()) {
      const violation = !answer.acknowledged && !isRepeatedLater && index === answer.attempts.length - 1;
      timeline.push({ ...toTimelineEntry(attempt, delivery, what), ...(violation && { violation }) });
    }
    if (answer.acknowledged) return;
    if (hasStopped) endpoint.stopped ??= describeStop(answer, what);
    if (!isRepeatedLater) failUnacknowledged(answer, what);
    if (fault !== undefined) unacknowledged.push({ delivery, what });
    else refusedEarly.push({ delivery, what: `${what.replace(/, a repeat$/, '')}, a repeat`, event: early! });
  }

  /** Describes when the endpoint stopped listening. If it refused the scenario's first connection, it stopped before the scenario. */
  function describeStop({ attempts: [first] }: DeliveryAnswer, what: string): string {
    const when = /refused/.test(describeAttempt(first!)) ? 'before it received' : 'while it handled';
    return `The endpoint stopped listening ${when} ${what} in the scenario "${scenario.title}"`;
  }

  function failUnacknowledged({ attempts }: DeliveryAnswer, what: string): never {
    isAnswering = false;
    const last = attempts.at(-1)!;
    const status = 'status' in last.result ? last.result.status : undefined;
    const message = last.late
      ? `The endpoint did not answer in time: ${what}.`
      : endpoint.stopped !== undefined
        ? `${endpoint.stopped} Nothing accepts connections at ${endpoint.url} any more. Look for the error that ended its process.`
        : `The endpoint did not acknowledge a delivery with a 2xx status in ${attempts.length} attempts: ${what}, ${describeAttempt(last)}.`;
    const failure = last.late ? 'late' : 'not-acknowledged';
    throw new ScenarioEnd({ verdict: 'failed', failure, status, stopped: endpoint.stopped !== undefined, message });
  }

  async function loseStore({ list: kind = 'connections', during = [] }: Extract<Step, { step: 'lose-store' }>): Promise<void> {
    const list = during.length > 0 ? await delayList(kind, control, world) : undefined;
    lostAt = (await getResponseData(control.GET('/_control/requests', { params: { query: { limit: 1 } } })))[0]?.number;
    addToTimeline('check', 'Makes the consumer lose its store.');
    const lost = callHook(hooks, 'loseStore', endpoint.url);
    lost.catch(() => {});
    if (list === undefined) return lost;
    try {
      // The consumer may respond to the hook only after it has rebuilt its store.
      await Promise.race([list.waitForRequest(), lost.then(() => list.waitForRequest())]);
      addToTimeline(
        'integration',
        `Requests the list of the ${kind} of the account ${list.account}, and gets the response after the next deliveries.`,
      );
      isRebuilding = true;
      for (const step of during) await perform(step);
      isRebuilding = false;
      await lost;
    } finally {
      await list.release();
    }
  }

  /** Waits for the full time limit, because the total alone does not show whether all events were processed. */
  async function rememberTotal(): Promise<void> {
    const { view } = await viewPoller.waitUntilEqual(({ users }) =>
      users === undefined ? { differences: ['The total may change.'] } : { hidden: [] },
    );
    totalBefore = view.users === undefined ? view.total : undefined;
  }

  /** Returns the paths at which the consumer requested the list of assignments after it lost its store. */
  async function readListPaths(): Promise<readonly string[]> {
    const query = { operation: 'getExperienceAssignments', ...(lostAt !== undefined && { since: lostAt }) };
    const requests = await getResponseData(control.GET('/_control/requests', { params: { query } }));
    if (requests.length > 0) return requests.map(({ path }) => path);
    throw new ScenarioEnd({ verdict: 'not-testable', reason: 'the consumer did not request the list of assignments from the kit' });
  }

  async function makeUsersUnavailable(account: number): Promise<void> {
    if (world.isPrepared(account)) {
      const reason = 'the world has too few accounts: the consumer may have read the users of every account already';
      throw new ScenarioEnd({ verdict: 'not-testable', reason });
    }
    const body = { operation: 'getUsers', fault: 'problem', status: 503 } as const;
    fault = (await getResponseData(control.POST('/_control/faults', { body }))).id;
    addToTimeline('world', 'GET /users responds with 503 from now on.');
  }

  async function removeFault(): Promise<void> {
    if (fault === undefined) return;
    await control.DELETE('/_control/faults/{faultId}', { params: { path: { faultId: fault } } });
    fault = undefined;
    addToTimeline('world', 'GET /users works again.');
  }

  async function repeatUnacknowledged(): Promise<void> {
    await removeFault();
    for (const { delivery, what } of unacknowledged.splice(0)) await deliver(delivery, `${what}, a repeat`, {});
  }

  async function compare(step: Compare): Promise<void> {
    const { comparison, view } = await viewPoller.waitUntilEqual(await createComparer(step));
    if ('hidden' in comparison) {
      const missing = comparison.hidden.length === 0 ? ['--state-url'] : comparison.hidden.map((member) => `--state-url with ${member}`);
      const reason =
        comparison.hidden.length === 0
          ? 'the view of the consumer cannot be seen'
          : `the state shows no ${comparison.hidden.join(' and no ')}`;
      throw new ScenarioEnd({ verdict: 'not-testable', reason, missing });
    }
    if (comparison.differences.length === 0)
      return void addToTimeline('check', 'The view is as expected.', { response: describeView(view) });
    const differences = comparison.differences.join(' ');
    // The timeline already shows the ids.
    const named = [...entities.values()].reduce((text, { id }) => text.replaceAll(` (${id})`, ''), differences);
    addToTimeline('check', named, { violation: !step.precondition, response: describeView(view) });
    if (step.precondition)
      throw new ScenarioEnd({ verdict: 'not-testable', reason: `the view was wrong before the step that shows the rule: ${differences}` });
    throw new ScenarioEnd({ verdict: 'failed', failure: 'view', message: differences });
  }

  /**
   * Returns a function that compares a state with the world. Reads what cannot change only once, because the function may be called many
   * times.
   */
  async function createComparer({
    what = 'entities',
    account: index = 0,
    change: totalChange = 0,
    required = false,
  }: Compare): Promise<(view: ConsumerState) => Comparison | Promise<Comparison>> {
    const known = [...entities.values()];
    const users = known.filter(({ kind }) => kind === 'users');
    const account = world.accounts[index % world.accounts.length]!;
    switch (what) {
      case 'entities': {
        const expected = await Promise.all(known.map(async (entity) => ({ entity, state: await world.readState(entity) })));
        return (view) => compareEntities(expected, view);
      }
      case 'seeded':
        return async (view) => compareUsers({ account, ...(await world.readUsers(account)) }, view, world.createdUsers);
      case 'all-users':
        return async (view) => compareUsers({ account, ...(await world.readUsers(account)) }, view);
      case 'unique':
        return (view) => compareUnique(users, view);
      case 'total':
        return (view) => compareTotal(view, totalBefore === undefined ? undefined : totalBefore + totalChange);
      case 'applied': {
        const names = new Map([...events.values()].map(({ webhookId, type, entity }) => [webhookId, `${type} of ${entity}`]));
        return (view) => (required && view.applied === undefined ? { hidden: ['applied'] } : compareApplied(names, view));
      }
      case 'path-of-assignments': {
        const paths = await readListPaths();
        const flat = paths.filter((path) => path.startsWith('/experience-assignments'));
        return () => ({ differences: flat.slice(0, 1).map((path) => `The consumer read the list of assignments at ${path}.`) });
      }
    }
  }

  function describeView(view: ConsumerState): Readonly<Record<EntityName, string | null>> {
    return Object.fromEntries([...entities.values()].map((entity) => [entity.name, describeShownState(entity, view) ?? null]));
  }

  /** Returns a rewrite with a later `updatedAt` than the entity's earlier events. */
  function rewriteAfterEvents(name: EntityName): Rewrite {
    const instants = [...events.values()].flatMap(({ entity, rewrite }) => (entity === name ? (rewrite.updatedAt?.seconds ?? []) : []));
    return instants.length === 0 ? {} : { updatedAt: { seconds: Math.max(...instants) + 1 } };
  }

  return {
    async performSteps() {
      for (const step of scenario.steps) await perform(step);
    },
    async cleanUp() {
      await removeFault();
      for (const { name, entity, kind } of entities.values()) {
        if (deleted.has(name)) continue;
        const { event } = await world.change({ type: DELETION_TYPES[kind], entity });
        if (isAnswering && endpoint.stopped === undefined) await endpoint.deliver(writeDelivery(event, rewriteAfterEvents(name), baseMs!));
      }
    },
  };
}

const DELETION_TYPES = {
  connections: 'experience.connection.deleted',
  assignments: 'experience.assignment.deleted',
  users: 'provisioning.user.deleted',
} as const satisfies Record<EntityKind, EventType>;
