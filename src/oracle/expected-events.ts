import type { EventType } from '../contract/generated/events.ts';
import { compareEvents, toKey } from './events.ts';
import { LEEWAY_MS, type Pair, pause, report } from './pair.ts';
import type { Step } from './steps.ts';
import type { World } from './world.ts';

/** The events of one sequence, and the steps that cause them. */
export class ExpectedEvents {
  private readonly pair: Pair;
  private readonly world: World;
  private readonly optional = new Set<string>();
  private readonly refused = new Set<Step>();
  private readonly causes = new Map<string, Step>();
  private readonly creators = new Map<string, Step>();
  private readonly first: readonly [target: number, twin: number];

  constructor(pair: Pair, world: World) {
    this.pair = pair;
    this.world = world;
    this.first = [pair.target.events.length, pair.twin.events.length];
  }

  /** Must be called before the step changes the world. */
  addStep(step: Step, isRefused: boolean): void {
    for (const name of step.changes) this.causes.set(name, step);
    if (step.creates !== undefined) this.creators.set(step.creates, step);
    if (isRefused) this.refused.add(step);
    else this.markOptionalEvents(step);
  }

  /** @param removed the names of the entities that the step has removed with what it changed */
  addCascade(step: Step, removed: readonly string[]): void {
    for (const name of removed) this.causes.set(name, step);
  }

  /** Whether the step may have caused an event about the entity. */
  isCause(step: Step, name: string): boolean {
    return step.creates === name || step.changes.includes(name) || this.causes.get(name) === step;
  }

  /** Waits until the expected events have arrived, and compares all events. @returns how long that took, in milliseconds @throws Found */
  async compare(
    instants: ReadonlyMap<string, ReadonlyMap<string, string>>,
    own: ReadonlySet<string>,
    maxMs = Number.POSITIVE_INFINITY,
  ): Promise<number> {
    const { target, twin, names, cast, eventMs } = this.pair;
    const { optional, refused } = this;
    const findCause = (name: string, type: EventType) => (type.endsWith('created') ? this.creators : this.causes).get(name);
    const expectations = { names, optional, instants, findCause, refused, occupied: cast.occupied };
    await this.pair.settleTwin();
    const startedAt = performance.now();
    const deadline = startedAt + Math.min(eventMs ?? 0, maxMs);
    for (let isLast = false; ; ) {
      const events = [target.events.slice(this.first[0]), twin.events.slice(this.first[1])] as const;
      const difference = compareEvents(expectations, ...events, (name) => own.has(name));
      if (difference === undefined) return performance.now() - startedAt;
      const { isWaiting, ...found } = difference;
      if (!isWaiting) report(this.pair, found);
      if (isLast || performance.now() > deadline) return eventMs === undefined ? 0 : report(this.pair, found);
      // When the target has no event to send, the last one may be in transit.
      isLast = (await this.pair.isIdle?.()) ?? false;
      await (isLast ? pause(LEEWAY_MS) : target.waitForEvent(LEEWAY_MS));
    }
  }

  /**
   * Marks the events about users that the specification leaves open. An account is certainly assigned to an Experience if it has an ACTIVE
   * connection with it and is its target, and certainly not if it has neither, nor any other assignment.
   */
  private markOptionalEvents({ kind, creates, changes, account }: Step): void {
    const users = kind === 'create user' ? [creates!] : kind === 'remove target' ? this.listUsers(changes) : [];
    const isOfDeletedAccount = changes.some((name) => name.startsWith('«account'));
    if (users.length === 0 || (this.isAssignmentClear(account) && !isOfDeletedAccount)) return;
    for (const user of users) this.optional.add(toKey(user, `provisioning.user.${kind === 'create user' ? 'created' : 'deleted'}`));
  }

  private listUsers(removed: readonly string[]): string[] {
    return this.world.listCreated('USER').flatMap(({ name, account }) => (removed.includes(name) || removed.includes(account) ? name : []));
  }

  private isAssignmentClear(account: string | undefined): boolean {
    const connections = [...this.world.connections.values()].filter((each) => each.account === account);
    const assignments = [...this.world.assignments.values()].filter(({ target }) => target.account === account);
    const experiences = new Set([...connections, ...assignments].map(({ experience }) => experience));
    if (experiences.size === 0) return true;
    // A target may publish one event for all Experiences.
    if ((this.pair.cast.occupied.get(account ?? '')?.size ?? 0) > 0) return false;
    return (
      experiences.size === 1 &&
      connections.some(({ state }) => state === 'ACTIVE') &&
      assignments.some(({ target }) => target.type === 'ACCOUNT')
    );
  }
}
