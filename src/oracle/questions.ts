import { findListRule, HIDDEN_RULES } from '../expect/rule-names.ts';
import { chooseLooks, pickFrom } from './choose-looks.ts';
import type { Comparison } from './compare.ts';
import type { Creations } from './creations.ts';
import type { Decks } from './decks.ts';
import type { Difference } from './difference.ts';
import { getShape, type Look, listLooks, listWays, type Way } from './looks.ts';
import { getServer, isLimited, type Pair, report, Undecided } from './pair.ts';
import { prefer } from './pick.ts';
import { createProbe } from './probes.ts';
import { countEntities, isSuccess, type Probe, type SideIndex } from './side.ts';
import type { Step } from './steps.ts';
import type { Views } from './views.ts';
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
const [WAITING_SHARE, LAST_WAITING_SHARE] = [0.15, 0.4];
const AGAIN_SHARE = 0.3;
const ALL_PROBES = 200;
/** After a step, and at the end, while the list of users is waited for. */
const [PROBES, LAST_PROBES] = [4, 24];

/** Looks at everything that exists or existed, and probes with invalid requests. Each question goes to both sides. */
export class Questions {
  /** The number of probes. */
  count = 0;
  private readonly pair: Pair;
  private readonly world: World;
  private readonly comparison: Comparison;
  private readonly options: QuestionOptions;
  private readonly creations: Creations;
  private readonly views: Views;

  constructor(pair: Pair, world: World, comparison: Comparison, options: QuestionOptions, creations: Creations, views: Views) {
    this.pair = pair;
    this.world = world;
    this.comparison = comparison;
    this.options = options;
    this.creations = creations;
    this.views = views;
  }

  /**
   * Asks some of the questions, or all of them.
   * @param step the latest step, whose surroundings are looked at more often
   * @param isLast whether no step follows
   * @param settles whether to wait until the list of users shows what the step has changed
   * @throws Found or Undecided
   */
  async ask(step: Step | undefined, count: number | undefined, { isLast = false, settles = false }): Promise<void> {
    const { userLagMs } = this.pair;
    const areUsersCurrent = performance.now() > this.views.usersChangedAt + (userLagMs ?? 0);
    // Do not often wait for the list of users, because a sequence takes less time than such a wait. But what happens next may depend on
    // whether the list has shown a user.
    const share = isLast ? LAST_WAITING_SHARE : step !== undefined && changesUsers(step) ? WAITING_SHARE : 0;
    const waits = settles || count === undefined || this.options.decks.random() < share;
    const areUsersCompared = userLagMs !== undefined && (areUsersCurrent || waits);
    const all = listLooks(this.world);
    const compared = all.filter(({ operation, isList }) =>
      operation === 'getUsers' ? areUsersCompared : !isList || this.pair.listLagMs !== undefined,
    );
    const { shape, decks, isOver } = this.options;
    const { random } = decks;
    const isAboutUsers = (isLast && this.views.haveUsersChanged) || (step !== undefined && changesUsers(step));
    const listAll = (look: Look) => listWays(look, this.pair.cast.tokens, this.pair.forms);
    // Often, ask the same at the same moment as somebody else. A credential may have one cursor of a list, except of the users.
    const pairUp = (look: Look, way: Way): readonly Way[] => {
      const isOther = ({ as, pageSize }: Way) => as !== way.as || (look.operation === 'getUsers' && pageSize !== way.pageSize);
      const others = listAll(look).filter((each) => each.form === way.form && isOther(each));
      if (others.length === 0 || (shape === undefined && random() >= AGAIN_SHARE)) return [way];
      return [way, shape === undefined ? pickFrom(others, random) : prefer(others, ({ as }) => as !== way.as)[0]!];
    };
    const chosen =
      count === undefined
        ? compared.flatMap((look) => listAll(look).map((way) => ({ look, way })))
        : chooseLooks(compared, { count, random, isRelated: this.createIsRelated(step), isAboutUsers, isLast }).map((look) => ({
            look,
            way: pickFrom(listAll(look), random),
          }));
    const pairs = chosen
      .filter(({ look, way }) => shape === undefined || getShape(look, way) === shape)
      .map(({ look, way }) => ({ look, ways: pairUp(look, way) }));
    const { users = [], others = [] } = Object.groupBy(pairs, ({ look }) => (look.operation === 'getUsers' ? 'users' : 'others'));
    const take =
      ({ look, ways }: (typeof pairs)[number]) =>
      () =>
        this.views.take(look, ways);
    const probes =
      // What is refused at the end may not be refused before.
      this.options.only?.filter((probe) => isLast || !isAlone(probe)) ??
      Array.from({ length: count === undefined ? ALL_PROBES : isLast ? LAST_PROBES : PROBES }, () =>
        createProbe(this.world, all, this.pair.forms, decks),
      );
    const sent = probes.filter((probe) => probe !== undefined && this.pair.names.canResolve(probe)).map((probe) => probe!);
    const questions = [
      ...others.map(take),
      ...sent.filter((probe) => !isAlone(probe)).map((probe) => () => this.probe(probe)),
      // Last, because they may be out of date for a while.
      ...users.map(take),
    ];
    const differing = new Set<(typeof questions)[number]>();
    const queue = questions.values();
    const askInTurn = async () => {
      for (const question of queue) if (!isOver() && (await question())) differing.add(question);
    };
    await Promise.all(Array.from({ length: PARALLEL_QUESTIONS }, askInTurn));
    // Repeat a question alone, because the decisions that the twin looks up belong to no particular request.
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
    const isHidden = request.as === 'outsider';
    const isNear = JSON.stringify(request.query ?? {}).includes('»⌫');
    // The number may be too short for its country.
    if (isNear && actual.status === 400) return undefined;
    // What these lists do with somebody else's cursor is open, if they show nothing.
    const isForeign = isHidden && cursorOf !== undefined && operation !== 'getUsers';
    if (isForeign && actual.status < 500 && countEntities(actual) === 0) return undefined;
    if (isSuccess(wanted)) {
      // The world no longer knows what the twin has.
      if (!operation.startsWith('get')) throw new Undecided();
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
}

/** Accounts are removed with their users. */
export const changesUsers = ({ kind }: Step): boolean => /user|target|account/.test(kind);
/** What may change something is not repeated, and a failure must hit no other request. */
const isAlone = ({ operation, withoutAuthorization }: Probe) => withoutAuthorization === true || !operation.startsWith('get');
