import type { OperationId } from '../contract/generated/operations.ts';
import type { RuleId } from '../contract/generated/rules.ts';
import { compareInstants, isSameInstant } from '../contract/instants.ts';
import {
  FOUND_RULES,
  findListRule,
  GONE_RULES,
  HIDDEN_RULES,
  MEMBER_RULES,
  nameRefusalRule,
  OTHERS_UNCHANGED_RULES,
  readReason,
  SUCCESS_RULES,
} from '../expect/rule-names.ts';
import { findBrokenShape } from '../expect/shapes.ts';
import { describeAnswer } from './describe.ts';
import type { Difference } from './difference.ts';
import { comparePages, findUnsorted, type Listing, type Members } from './listing.ts';
import type { Look, Way } from './looks.ts';
import { HIDDEN_LIST_DECISIONS, listStatuses } from './open-points.ts';
import { type Answer, countEntities, isCreatedName, isSuccess, type Names, type Request, type TokenName } from './side.ts';
import { LONG_AGO, type Step } from './steps.ts';
import type { World } from './world.ts';

export class Comparison {
  private readonly names: Names;
  private readonly world: World;
  /** For each entity, the target's updatedAt at each updatedAt of the twin's entity. */
  readonly instants = new Map<string, Map<string, string>>();
  private readonly creations = new Map<string, string>();
  private readonly accountNames = new Map<string, string>();
  /** The connections whose deletion was refused because of telephone numbers, and at which nobody has looked since. */
  readonly refusedDeletions = new Set<string>();
  /** The names that the steps since the latest look may have changed. */
  changed: readonly string[] = [];

  constructor(names: Names, world: World) {
    this.names = names;
    this.world = world;
  }

  compareOutcomes(step: Step, target: Answer, twin: Answer): Difference | undefined {
    // Describing the answers costs more than comparing them.
    const expected = () => this.expectAnswer(twin, target);
    // The specification does not say what a portal or the platform refuses.
    if (step.request === undefined) return undefined;
    const fallback = SUCCESS_RULES[step.request.operation];
    if (isSuccess(twin))
      return isSuccess(target)
        ? findBrokenShape(step.request.operation, step.request.form, target)
        : { rule: this.nameSuccessRule(step, fallback), message: expected() };
    const reason = readReason(twin);
    const rule = nameRefusalRule(reason, fallback);
    if (isSuccess(target)) return { rule, message: expected() };
    const permitted = [twin.status, ...listStatuses(reason), ...listOtherFaults(step.request.operation, step.as)];
    return permitted.includes(target.status)
      ? findBrokenShape(step.request.operation, step.request.form, target)
      : { rule, message: expected() };
  }

  /** Compares the answers to a request with one fault, which the model refuses. */
  compareRefusals(operation: OperationId, request: Request, target: Answer, twin: Answer): Difference | undefined {
    const reason = readReason(twin);
    const scopeRule = SUCCESS_RULES[operation].replace(/[^.]+$/, 'scope') as RuleId;
    const isWrite = request.body !== undefined;
    // What the lists do with another list's cursor is open.
    if (reason === 'lists.cursor.invalid' && target.status < 500) return undefined;
    // The document says only that the request does not succeed.
    if (reason === 'auth.missing-scope' && target.status >= 400 && target.status < 500) return undefined;
    // The document gives two faults of one request no order, and what the request is about may conflict with the state, too.
    const isGone = this.world.gone.has(request.path?.userId ?? '');
    const others = [...(isWrite ? [400, 409, 422, ...listOtherFaults(operation, request.as)] : []), ...(isGone ? [404] : [])];
    const permitted = [twin.status, ...listStatuses(reason), ...others];
    if (isEmptyList(reason, target)) return undefined;
    if (permitted.includes(target.status)) return findBrokenShape(operation, request.form, target);
    const message = this.expectAnswer(twin, target);
    return { rule: nameRefusalRule(reason, reason === 'auth.missing-scope' ? scopeRule : SUCCESS_RULES[operation]), message };
  }

  private expectAnswer(twin: Answer, target: Answer): string {
    const others = isSuccess(twin) ? [] : listStatuses(readReason(twin)).filter((status) => status > 0 && status !== twin.status);
    const expected = describeAnswer(this.names.describe(1, twin));
    return `Expected ${[expected, ...others].join(' or ')}, not ${describeAnswer(this.names.describe(0, target))}`;
  }

  /** Compares the answers to a request that reads one entity, or that checks assignability. */
  compareReads(look: Look, way: Way, target: Answer, twin: Answer): Difference | undefined {
    const { of, operation } = look;
    const expected = () => this.expectAnswer(twin, target);
    const gone = this.world.gone.get(of ?? '');
    if (!isSuccess(twin)) {
      const reason = readReason(twin);
      if (isEmptyList(reason, target)) return undefined;
      if ([twin.status, ...listStatuses(reason)].includes(target.status)) return findBrokenShape(operation, way.form, target);
      const fallback = SUCCESS_RULES[operation];
      const rule = gone !== undefined && way.as === 'manager' ? GONE_RULES[gone] : (HIDDEN_RULES[operation] ?? fallback);
      return { rule: isSuccess(target) ? rule : nameRefusalRule(reason, rule), message: expected() };
    }
    const isPermitted = look.isList && operation !== 'getUsers' && (look.isHidden || way.as === 'outsider');
    if (isPermitted && HIDDEN_LIST_DECISIONS.some((id) => listStatuses(id).includes(target.status))) return undefined;
    if (!isSuccess(target)) return { rule: this.nameLossRule(of) ?? FOUND_RULES[operation] ?? nameReadRule(look), message: expected() };
    const broken = findBrokenShape(operation, way.form, target);
    if (broken) return broken;
    if (operation === 'getExperienceAssignability') return this.compareAssignability(look, target, twin);
    const difference = this.compareMembers(operation, of ?? '', target.json as Members, twin.json as Members, true);
    if (difference === undefined) this.refusedDeletions.delete(of ?? '');
    return difference;
  }

  private compareAssignability(look: Look, target: Answer, twin: Answer): Difference | undefined {
    const [actual, wanted] = [target.json, twin.json] as Members[];
    if (actual?.assignable === wanted?.assignable) return this.compareMembers('getExperienceAssignability', '', actual, wanted ?? {}, true);
    const isGone = this.world.gone.has(String(look.request.query?.targetValue));
    const message = `Expected assignable ${JSON.stringify(wanted?.assignable)}, not ${JSON.stringify(actual?.assignable)}`;
    return { rule: isGone ? 'assignability.unknown-target-false' : 'assignability.current', message };
  }

  /** @param isCurrent whether the answer cannot be out of date */
  compareMembers(operation: string, name: string, target: Members | undefined, twin: Members, isCurrent: boolean): Difference | undefined {
    const actual = this.names.replaceIds(0, target ?? {});
    const wanted = this.names.replaceIds(1, twin);
    for (const [member, value] of Object.entries(wanted)) {
      const shown = actual[member];
      if (shown === undefined || shown === null) continue;
      if (member === 'createdAt') {
        const first = this.creations.get(name) ?? String(shown);
        this.creations.set(name, first);
        if (!isSameInstant(first, String(shown)))
          return { rule: 'users.get.current', message: `Expected createdAt ${first}, as before, not ${String(shown)}` };
      } else if (member === 'accountName') {
        const before = this.accountNames.get(name) ?? String(shown);
        this.accountNames.set(name, before);
        if (normalize(before) !== normalize(shown))
          return { rule: 'connections.get.account-name', message: `Expected accountName ${before}, as before, not ${String(shown)}` };
      } else if (member === 'updatedAt' && value === null && isCreatedName(name)) {
        // An assignment may count as an update. The model does not know who has changed the target's own users.
        if (!this.world.assigned.has(name))
          return { rule: 'users.updated-at-null', message: `Expected updatedAt null, not ${String(shown)}` };
      } else if (member === 'updatedAt') {
        const mayDiffer = name.startsWith('«user') && this.world.assigned.has(name);
        const problem = isCurrent && !mayDiffer ? this.compareInstants(name, String(value), String(shown)) : undefined;
        if (problem) return problem;
      } else if (normalize(shown) !== normalize(value)) {
        const rule = this.nameLossRule(name) ?? MEMBER_RULES[operation]?.[member];
        if (rule) return { rule, message: `Expected ${member} ${JSON.stringify(value)}, not ${JSON.stringify(shown)}` };
      }
    }
    return undefined;
  }

  /** The target's updatedAt may change only when the twin's does, and may not go back. */
  private compareInstants(name: string, twin: string, target: string): Difference | undefined {
    if (isSameInstant(target, LONG_AGO))
      return {
        rule: 'assignments.create.updated-at-utc',
        message: `Expected the time of the last modification, not the updatedAt of the request, ${target}`,
      };
    const known = this.instants.get(name) ?? new Map<string, string>();
    this.instants.set(name, known);
    const before = known.get(twin);
    const latest = [...known.values()].at(-1);
    if (before !== undefined) {
      if (isSameInstant(before, target)) return undefined;
      return { rule: this.nameUnchangedRule(name), message: `Expected updatedAt ${before}, as before, not ${target}` };
    }
    known.set(twin, target);
    if (latest === undefined || name.startsWith('«user') || isSameInstant(target, latest) || compareInstants(target, latest) >= 0)
      return undefined;
    return { rule: 'connections.update.updated-at-grows', message: `Expected updatedAt not before ${latest}, not ${target}` };
  }

  compareListings(look: Look, way: Way, target: Listing, twin: Listing): Difference | undefined {
    const rule = findListRule(look.operation, look.request.query ?? {});
    for (const page of target.answers) {
      const broken = findBrokenShape(look.operation, way.form, page);
      if (broken) return broken;
    }
    const wrongPage = comparePages(target, way.pageSize ?? 100);
    if (wrongPage) return wrongPage;
    const [actual, wanted] = [target.entities.map((entity) => [this.names.findName(0, entity.id), entity] as const), twin.entities];
    const owned = actual.flatMap(([name]) => name ?? []);
    const repeated = owned.find((name, index) => owned.indexOf(name) !== index);
    if (repeated !== undefined) return { rule: 'http.pages.traversal-complete', message: `Expected ${repeated} once in the list` };
    const expected = new Map(
      wanted.flatMap((entity) => {
        const name = this.names.findName(1, entity.id);
        return name === undefined ? [] : [[name, entity] as const];
      }),
    );
    const shown = new Map(actual.flatMap(([name, entity]) => (name === undefined ? [] : [[name, entity] as const])));
    for (const name of expected.keys())
      if (!shown.has(name))
        return { rule, lacks: name, message: `Expected ${name} in the list. Listed: ${[...shown.keys()].join(', ') || 'nothing known'}` };
    for (const name of shown.keys())
      if (!expected.has(name)) {
        const isHidden = way.as !== 'manager' && !this.world.gone.has(name);
        return {
          rule: isHidden ? (HIDDEN_RULES[look.operation] ?? rule) : rule,
          message: `Expected the list without ${name}${this.world.gone.has(name) ? ', which no longer exists' : ''}`,
        };
      }
    for (const [name, entity] of expected) {
      const difference = this.compareMembers(look.operation, name, shown.get(name), entity, false);
      if (difference) return { ...difference, message: `${difference.message}, in ${name}` };
    }
    const unsorted = findUnsorted(look, target.entities);
    if (unsorted) return { rule: 'users.list.sorted', message: `Expected ${unsorted}` };
    const total = target.entities.length;
    if (typeof target.count === 'number' && target.count !== total)
      return { rule: 'users.list.count', message: `Expected count ${total}, the number of users on all pages, not ${target.count}` };
    return undefined;
  }

  private nameSuccessRule({ request, kind }: Step, fallback: RuleId): RuleId {
    const { state, targetValue } = (request?.body ?? {}) as { readonly state?: string; readonly targetValue?: string };
    if (kind === 'update connection') return state === 'INACTIVE' ? 'connections.update.deactivates' : fallback;
    const target = targetValue?.replace('^', '');
    const isAssigned = [...this.world.assignments.values()].some((each) => each.target.name === target);
    return kind === 'create assignment' && isAssigned ? 'assignments.create.several-experiences' : fallback;
  }

  private nameUnchangedRule(name: string): RuleId {
    return OTHERS_UNCHANGED_RULES.find(([kind]) => name.startsWith(`«${kind}`))?.[1] ?? 'users.get.current';
  }

  /** The rule that an entity breaks which is lost or changed although the step was not about it. */
  private nameLossRule(name = ''): RuleId | undefined {
    if (this.refusedDeletions.has(name)) return 'connections.delete.refused-changes-nothing';
    const isKnown = this.instants.has(name);
    return isKnown && !this.changed.includes(name) ? OTHERS_UNCHANGED_RULES.find(([kind]) => name.startsWith(`«${kind}`))?.[1] : undefined;
  }
}

/** The statuses of a second reason to refuse a change by somebody who may not make it. The specification gives the reasons no order. */
function listOtherFaults(operation: OperationId, as: TokenName): readonly number[] {
  if (as === 'reader') return [403, 409, 422];
  if (as !== 'outsider') return [];
  return operation === 'createExperienceAssignment' ? [403, 404, 409, 422] : [409, 422];
}

/** Each list, and each account or number that the caller may not see, may have its own way to say so. */
const isEmptyList = (reason: string, target: Answer): boolean =>
  HIDDEN_LIST_DECISIONS.some((id) => id === reason) && isSuccess(target) && countEntities(target) === 0;

const nameReadRule = ({ isList, operation, request }: Look): RuleId =>
  isList ? findListRule(operation, request.query ?? {}) : SUCCESS_RULES[operation];

/** Texts are equal in any Unicode normalization. */
const normalize = (value: unknown) => (typeof value === 'string' ? value.normalize('NFC') : JSON.stringify(value));
