import { findListRule, HIDDEN_RULES } from '../expect/rule-names.ts';
import { chooseLooks, pickFrom } from './choose-looks.ts';
import type { Comparison } from './compare.ts';
import type { Creations } from './creations.ts';
import type { Decks } from './decks.ts';
import type { Difference } from './difference.ts';
import { traverse } from './listing.ts';
import { getShape, type Look, listLooks, listWays, type Way } from './looks.ts';
import { getServer, LEEWAY_MS, type Pair, pause, RETRY_MS, report, Undecided } from './pair.ts';
import { createProbe } from './probes.ts';
import { type Answer, isSuccess, type Probe, type SideIndex } from './side.ts';
import type { Step } from './steps.ts';
import type { World } from './world.ts';

export interface QuestionOptions {
  /** The only shape of looks to take (getShape). */
  readonly shape?: string | undefined;
  /** The only probes to send. */
  readonly only?: readonly Probe[];
  readonly decks: Decks;
  readonly isOver: () => boolean;
}

const PARALLEL_QUESTIONS = 8;
const WAITING_SHARE = 0.15;
const AGAIN_SHARE = 0.3;
const ALL_PROBES = 200;
/** A probe costs much less than reading a list to its end. */
const PROBES_PER_LOOK = 3;
const PAGE: Answer = { status: 200, text: 'a page', json: {} };

/** Looks at everything that exists or existed, and probes with invalid requests. Each question goes to both sides. */
export class Questions {
  count = 0;
  /** When the latest step was made. The lists may be out of date for a while. */
  changedAt = performance.now();
  usersChangedAt = performance.now();
  /** When the effect of every request is certain that the target has accepted. */
  private effectiveAt = 0;
  private readonly pair: Pair;
  private readonly world: World;
  private readonly comparison: Comparison;
  private readonly options: QuestionOptions;
  private readonly creations: Creations;

  constructor(pair: Pair, world: World, comparison: Comparison, options: QuestionOptions, creations: Creations) {
    this.pair = pair;
    this.world = world;
    this.comparison = comparison;
    this.options = options;
    this.creations = creations;
  }

  /**
   * Asks some of the questions, or all of them.
   * @param step the latest step, whose surroundings are looked at more often
   * @param isLast whether no step follows
   * @throws Found or Undecided
   */
  async ask(step: Step | undefined, count: number | undefined, isLast = false): Promise<void> {
    const { userLagMs } = this.pair;
    const areUsersCurrent = performance.now() > this.usersChangedAt + (userLagMs ?? 0);
    // Between commands, do not often wait for the list of users.
    const areUsersCompared = userLagMs !== undefined && (isLast || areUsersCurrent || this.options.decks.random() < WAITING_SHARE);
    const all = listLooks(this.world);
    const compared = all.filter(({ operation, isList }) =>
      operation === 'getUsers' ? areUsersCompared : !isList || this.pair.listLagMs !== undefined,
    );
    const { shape, decks, isOver } = this.options;
    const { random } = decks;
    const isAboutUsers = step !== undefined && changesUsers(step);
    const listQuestions = (look: Look) => listWays(look, this.pair.cast.tokens, this.pair.forms).map((way) => ({ look, way }));
    const chosen =
      count === undefined
        ? compared.flatMap(listQuestions).filter(({ look, way }) => shape === undefined || getShape(look, way) === shape)
        : chooseLooks(compared, { count, random, isRelated: this.createIsRelated(step), isAboutUsers, isLast }).flatMap((look) => {
            const question = pickFrom(listQuestions(look), random);
            const { as, form, pageSize } = question.way;
            // Often, somebody else asks the same at the same moment.
            const others = listQuestions(look).filter(({ way }) => way.as !== as && way.form === form && way.pageSize === pageSize);
            return others.length > 0 && random() < AGAIN_SHARE ? [question, pickFrom(others, random)] : [question];
          });
    const probes =
      this.options.only ??
      Array.from({ length: count === undefined ? ALL_PROBES : PROBES_PER_LOOK * count }, () =>
        createProbe(this.world, all, this.pair.forms, decks),
      );
    const sent = probes.filter((probe) => probe !== undefined && this.pair.names.canResolve(probe)).map((probe) => probe!);
    const questions = [
      ...chosen.map((each) => () => this.lookOnce(each)),
      ...sent.filter((probe) => !isAlone(probe)).map((probe) => () => this.probe(probe)),
    ];
    const differing = new Set<(typeof questions)[number]>();
    const queue = questions.values();
    const askInTurn = async () => {
      for (const question of queue) if (!isOver() && (await question())) differing.add(question);
    };
    await Promise.all(Array.from({ length: PARALLEL_QUESTIONS }, askInTurn));
    // Repeat a question alone, because the decisions that the twin looks up belong to no particular request. The first are the simplest.
    for (const question of questions.filter((each) => differing.has(each))) {
      const reads = this.pair.recordDecisions();
      const repeated = await question();
      if (repeated) report(this.pair, repeated, reads);
    }
    for (const probe of sent.filter(isAlone)) {
      if (isOver()) return;
      const reads = this.pair.recordDecisions();
      const difference = await this.probe(probe);
      if (difference) report(this.pair, difference, reads);
    }
  }

  /** Waits until the target shows the effect of a request that it has accepted. What it shows in the end, the looks report. */
  async waitForEffect(names: readonly string[]): Promise<void> {
    this.effectiveAt = performance.now() + this.pair.acceptedMs;
    const way = { as: 'manager', form: this.pair.form, pageSize: undefined } as const;
    for (const look of listLooks(this.world).filter(({ of = '' }) => names.includes(of)))
      while ((await this.compareReads(look, way)) !== undefined && performance.now() < this.effectiveAt) await pause(RETRY_MS);
  }

  /**
   * Returns a function that decides whether a look reads what the latest steps may have changed, or whether a list is about the account,
   * the Experience or the target of the latest step.
   */
  private createIsRelated(step: Step | undefined): (look: Look) => boolean {
    const targets = this.world.targets.flatMap(({ name, account }) => (account === step?.account ? name : []));
    const related = new Set([step?.account, ...(step?.changes ?? []), ...targets]);
    return ({ of, request: { query = {} } }) =>
      of === undefined ? Object.values(query).some((value) => related.has(String(value))) : this.comparison.changed.includes(of);
  }

  private async probe(probe: Probe): Promise<Difference | undefined> {
    const { operation, request, cursorOf, withoutAuthorization = false } = probe;
    this.count += 1;
    const { names } = this.pair;
    const ask = async (side: SideIndex) => {
      const server = getServer(this.pair, side);
      const resolved = names.resolve(side, request);
      let { query } = resolved;
      if (cursorOf !== undefined) {
        const { json } = await server.call(operation, { ...resolved, as: 'manager', query: names.resolve(side, cursorOf) });
        const { cursor } = (json ?? {}) as { cursor?: string | null };
        if (!cursor) return undefined;
        query = { ...query, cursor };
      }
      const parameters = { ...resolved.path, ...resolved.query } as Record<string, string>;
      const end = withoutAuthorization ? await server.failAuthorization?.(operation as 'getUser', parameters) : undefined;
      const answer = await server.call(operation, { ...resolved, ...(query && { query }) });
      await end?.();
      return answer;
    };
    const [actual, wanted] = await Promise.all([ask(0), ask(1)]);
    if (actual === undefined || wanted === undefined || isLimited(actual, wanted)) return undefined;
    if (operation.startsWith('create')) this.creations.hasStrays ||= isSuccess(actual) || isSuccess(wanted);
    if (isSuccess(wanted)) {
      // The world no longer knows what the twin has.
      if (!operation.startsWith('get')) throw new Undecided();
      const isHidden = request.as === 'outsider';
      const isNear = JSON.stringify(request.query ?? {}).includes('»-');
      if (!(isHidden || isNear) || countEntities(wanted) > 0 || countEntities(actual) === 0) return undefined;
      const why = isHidden ? 'the caller may not view them' : 'there is no such number';
      const message = `Expected no entities, because ${why}. The target answered ${actual.text.slice(0, 300)}`;
      const rule = isHidden ? HIDDEN_RULES[operation]! : findListRule(operation, request.query!);
      return { rule, message, probe, request: { operation, request } };
    }
    const difference = this.comparison.compareRefusals(operation, request, actual, wanted);
    if (difference === undefined) return undefined;
    return { ...difference, probe, request: { operation, request } };
  }

  private async lookOnce({ look, way: wanted }: { readonly look: Look; readonly way: Way }): Promise<Difference | undefined> {
    this.count += 1;
    const { lengths } = this.pair;
    if (lengths.isTooLong(look)) return undefined;
    const way = { ...wanted, pageSize: lengths.choosePageSize(look, wanted.pageSize) };
    const lag = look.operation === 'getUsers' ? this.pair.userLagMs : look.isList ? this.pair.listLagMs : 0;
    const changedAt = look.operation === 'getUsers' ? this.usersChangedAt : this.changedAt;
    const deadline = Math.max(changedAt + (lag ?? 0) + (lag ? LEEWAY_MS : 0), this.effectiveAt);
    for (;;) {
      const difference = look.isList ? await this.compareLists(look, way) : await this.compareReads(look, way);
      if (difference === undefined) return undefined;
      if (performance.now() > deadline) {
        // An entity that is missing in a list may be missing everywhere.
        const lost = difference.lacks === undefined ? undefined : await this.findLoss(difference.lacks, way);
        if (lost) return lost;
        const { pageSize, ...principal } = way;
        const query = { ...look.request.query, ...(pageSize !== undefined && { pageSize }) };
        const request = { ...look.request, ...(look.request.query && { query }), ...principal };
        return { ...difference, shape: getShape(look, wanted), request: { operation: look.operation, request } };
      }
      await pause(RETRY_MS);
    }
  }

  private async findLoss(name: string, way: Way): Promise<Difference | undefined> {
    const look = listLooks(this.world).find(({ of }) => of === name);
    return look && this.lookOnce({ look, way: { ...way, pageSize: undefined } });
  }

  private async compareReads(look: Look, { as, form }: Way): Promise<Difference | undefined> {
    const { target, twin, names } = this.pair;
    const [actual, wanted] = await Promise.all([
      target.call(look.operation, { ...names.resolve(0, look.request), as, form }),
      twin.call(look.operation, { ...names.resolve(1, look.request), as, form }),
    ]);
    if (isLimited(actual, wanted)) return undefined;
    return this.comparison.compareReads(look, { as, form, pageSize: undefined }, actual, wanted);
  }

  private async compareLists(look: Look, way: Way): Promise<Difference | undefined> {
    const { pageSize, ...principal } = way;
    const read = (side: SideIndex) => {
      const { query } = this.pair.names.resolve(side, look.request);
      return traverse(getServer(this.pair, side), look.operation, {
        query: { ...query, ...(pageSize !== undefined && { pageSize }) },
        ...principal,
      });
    };
    const [actual, wanted] = await Promise.all([read(0), read(1)]);
    if ('status' in wanted || 'status' in actual) {
      const [target, twin] = [actual, wanted].map((each) => ('status' in each ? each : PAGE)) as [Answer, Answer];
      return isLimited(target, twin) ? undefined : this.comparison.compareReads(look, way, target, twin);
    }
    this.pair.lengths.record(look, pageSize, actual);
    return actual.isWhole ? this.comparison.compareListings(look, way, actual, wanted) : undefined;
  }
}

/** Accounts are removed with their users. */
export const changesUsers = ({ kind }: Step): boolean => /user|target|account/.test(kind);
/** What may change something is not repeated, and a failure must hit no other request. */
const isAlone = ({ operation, withoutAuthorization }: Probe) => withoutAuthorization === true || !operation.startsWith('get');

const countEntities = ({ json }: Answer) => ((json ?? {}) as { entities?: readonly unknown[] }).entities?.length ?? 0;
const isLimited = (...answers: readonly Answer[]): boolean => answers.some(({ status }) => status === 429);
