import type { DecisionId } from '../contract/generated/decisions.ts';
import type { Command } from './commands.ts';
import { Comparison } from './compare.ts';
import { Creations } from './creations.ts';
import type { Answers } from './describe.ts';
import { ExpectedEvents } from './expected-events.ts';
import { type Pair, report, Undecided } from './pair.ts';
import { changesUsers, type QuestionOptions, Questions } from './questions.ts';
import { createRival, mayMeet } from './rivals.ts';
import type { SentStep } from './script.ts';
import { sendStep } from './send-step.ts';
import { type Answer, isSuccess, type SideIndex } from './side.ts';
import { type Step, toStep } from './steps.ts';
import { Views } from './views.ts';
import { type Target, World } from './world.ts';

export interface SequenceOptions extends QuestionOptions {
  /** The number of looks after a step. Undefined: all. */
  readonly looks: number | undefined;
  /** The longest wait for events, in milliseconds, if it is shorter than the target's own. */
  readonly maxEventsMs?: number;
}

/** Performs the commands of a sequence at both sides. */
export class SequenceRun {
  readonly reached = new Set<string>();
  readonly sent: (SentStep & { readonly answers: readonly Answers[]; readonly ofCommand: number })[] = [];
  performed = 0;
  eventsMs = 0;
  readonly questions: Questions;
  readonly views: Views;
  private readonly pair: Pair;
  private readonly options: SequenceOptions;
  private readonly world: World;
  private readonly comparison: Comparison;
  private readonly events: ExpectedEvents;
  readonly own = new Set<string>();
  /** Whether nobody has looked at what the latest step changed. */
  private hasHurried = false;
  readonly creations: Creations;

  constructor(pair: Pair, options: SequenceOptions) {
    this.pair = pair;
    this.options = options;
    this.world = new World(pair.cast);
    this.comparison = new Comparison(pair.names, this.world);
    this.events = new ExpectedEvents(pair, this.world);
    this.creations = new Creations(pair, this.world);
    this.views = new Views(pair, this.world, this.comparison);
    this.questions = new Questions(pair, this.world, this.comparison, options, this.creations, this.views);
  }

  async finish(): Promise<void> {
    const { looks } = this.options;
    await this.questions.ask(this.sent.at(-1)?.step, looks === undefined ? undefined : 3 * looks, { isLast: true });
    this.eventsMs = await this.events.compare(this.comparison.instants, this.own, this.options.maxEventsMs);
  }

  /** @param next the next command, which may be sent at the same moment */
  async perform(command: Command, next: Command | undefined): Promise<void> {
    const index = this.performed;
    this.performed += 1;
    const first = this.createStep(command);
    if (first === undefined) return;
    // A person who may not manage the entities acts alone, so that each request has one reason to be refused.
    const times = first.as === 'manager' && first.origin === 'api' ? command.times : 1;
    const rival = times > 2 ? createRival(this.world, first, command) : undefined;
    const second = times > 1 ? (rival ?? (next && this.createStep(next))) : undefined;
    const isPair = second !== undefined && mayMeet(first, second);
    const steps = isPair ? [first, second] : [first];
    // Often, the server executes first what was sent first.
    const inOrderOfSending = command.picks[2] % 2 === 0 ? steps : steps.toReversed();
    const requests = isPair ? inOrderOfSending : Array.from({ length: times }, () => first);
    const answers = await Promise.all(requests.map(async (step) => ({ step, ...(await sendStep(this.pair, 0, step)) })));
    // The order of the twin's requests is one that the answers allow: the request that succeeded comes first, and a deletion last.
    const isDeletionFirst = answers.some(({ step, answer }) => step.kind === 'update connection' && answer.status === 404);
    const rank = ({ step, answer }: (typeof answers)[number]) =>
      isPair && first.kind !== second.kind ? Number((step.kind === 'delete connection') !== isDeletionFirst) : Number(!isSuccess(answer));
    const describeTarget = ({ answer }: (typeof answers)[number]): Answers => ({ target: this.pair.names.describe(0, answer) });
    const inOrder = answers.toSorted((a, b) => rank(a) - rank(b)).map((each) => ({ ...each, shown: describeTarget(each) }));
    for (const step of steps) {
      const own = inOrder.flatMap((each) => (each.step === step ? each.shown : []));
      const isWithPrevious = step === second;
      const ofCommand = isWithPrevious && rival === undefined ? index + 1 : index;
      this.sent.push({ step, times: isPair ? 1 : times, isWithPrevious, answers: own, ofCommand });
    }
    if (isPair && rival === undefined) this.performed += 1;
    this.world.last = { account: first.account ?? this.world.last.account, experience: first.experience ?? this.world.last.experience };
    this.views.changedAt = performance.now();
    if (steps.some(changesUsers)) {
      this.views.usersChangedAt = performance.now();
      this.views.haveUsersChanged = true;
    }
    const unseen = this.hasHurried ? this.comparison.changed : [];
    this.comparison.changed = [
      ...unseen,
      ...steps.flatMap(({ changes, creates }) => [...changes, ...(creates === undefined ? [] : [creates])]),
    ];
    const isAccepted = answers.some(({ answer }) => answer.status === ACCEPTED);
    const open: string[] = [];
    for (const { step, shown, ...target } of inOrder) {
      if (target.answer.status === LIMITED) throw new Undecided();
      const isOpen = this.isOpen(step, target.answer) || (isAccepted && answers.length > 1);
      const state =
        step.kind === 'create connection' && isSuccess(target.answer) ? await this.creations.readState(target, step) : undefined;
      const reads = this.pair.recordDecisions();
      const twin = await sendStep(this.pair, 1, step, state);
      shown.twin = this.pair.names.describe(1, twin.answer);
      this.reached.add(`${step.origin} ${step.kind} ${step.as} ${twin.answer.status}`);
      const ids = await this.readCreated(step, target, twin);
      const difference = this.comparison.compareOutcomes(step, target.answer, twin.answer);
      if (difference && !isOpen) report(this.pair, difference, reads);
      if (isSuccess(target.answer) !== isSuccess(twin.answer)) throw new Undecided();
      this.events.addStep(step, !isSuccess(twin.answer));
      if (isSuccess(twin.answer)) {
        open.push(...this.listOpenAssignments(step));
        this.apply(step, ids, state);
      }
      if (step.kind === 'delete connection' && twin.answer.status === CONFLICT) this.comparison.refusedDeletions.add(step.changes[0]!);
    }
    // Whether an accepted update has an effect on what the other request deletes is open.
    if (isPair && answers.some(({ step, answer }) => step.kind === 'update connection' && answer.status === ACCEPTED))
      throw new Undecided();
    if (isAccepted) await this.views.waitForEffect(this.comparison.changed);
    // If the target treats these assignments in another way than the twin, what follows is unknown.
    if (await this.views.differ(open)) throw new Undecided();
    const { settles = false } = command;
    this.hasHurried = command.hurries && !settles && rival === undefined;
    if (!this.hasHurried) await this.questions.ask(first, this.options.looks, { settles });
  }

  /** Appends the numbers of the dialogue's steps that may have caused an event about the entity. */
  nameSteps(message: string, about: string): string {
    const numbers = this.sent.flatMap(({ step }, index) => (this.events.isCause(step, about) ? index + 1 : []));
    if (numbers.length === 0) return message;
    return `${message} (see step${numbers.length > 1 ? 's' : ''} ${numbers.join(', ')})`;
  }

  private createStep(command: Command): Step | undefined {
    const step = toStep(this.world, command);
    return step && this.pair.names.canResolve([step.request, step.action]) ? step : undefined;
  }

  /**
   * Whether the target may refuse the step: because it contains an id in capitals or read-only members, because the connection's present
   * state is not shown, or because of numbers of other accounts that are assigned to an AGENT Experience.
   */
  private isOpen({ kind, request, changes: [name = ''], experience = '' }: Step, answer: Answer): boolean {
    if (/»\^|"updatedAt"/.test(JSON.stringify(request?.body ?? ''))) return true;
    if (kind === 'delete connection') return answer.status === CONFLICT && this.pair.cast.agents.includes(experience);
    const connection = this.world.connections.get(name);
    return kind === 'update connection' && connection !== undefined && connection.state === undefined;
  }

  /** The assignments that may go with the deleted connection, and whose fate the target has not shown (connections.delete.other-assignments). */
  private listOpenAssignments({ kind, origin, account, experience }: Step): string[] {
    if (kind !== 'delete connection') return [];
    const isShown = (type: Target['type']) => origin === 'api' && type === 'USER' && this.pair.decided.has(FATE);
    return [...this.world.assignments.values()].flatMap(({ name, target, experience: assignedTo }) =>
      assignedTo === experience && target.account === account && !isShown(target.type) ? name : [],
    );
  }

  /** Returns the ids of the entity that the step has created, and records them for the cleanup. */
  private async readCreated(step: Step, ...results: readonly { readonly answer: Answer; readonly id: string }[]): Promise<string[]> {
    const ids: string[] = [];
    if (step.creates === undefined) return ids;
    for (const [side, result] of results.entries())
      if (isSuccess(result.answer)) ids[side] = await this.creations.record(side as SideIndex, step, result);
    return ids;
  }

  private apply(step: Step, [targetId = '', twinId = '']: readonly string[], state?: string): void {
    const list = () => new Set([...this.world.connections.keys(), ...this.world.assignments.keys(), ...this.world.created.keys()]);
    const before = list();
    const { creates } = step;
    if (creates !== undefined) {
      this.pair.names.define(creates, targetId, twinId);
      this.own.add(creates);
      if (step.account !== undefined) this.world.markAccount(creates, step.account);
    }
    step.apply();
    if (creates !== undefined && state !== undefined) this.world.connections.get(creates)!.state = state as 'ACTIVE';
    const after = list();
    const removed = [...before].filter((name) => !after.has(name));
    this.events.addCascade(step, removed);
    this.comparison.changed = [...this.comparison.changed, ...removed];
  }
}

const [ACCEPTED, CONFLICT, LIMITED] = [202, 409, 429];
const FATE: DecisionId = 'connections.delete.other-assignments';
