import type { DecisionId } from '../../../contract/generated/decisions.ts';
import { operations } from '../../../contract/generated/operations.ts';
import type { Observation } from '../../../contract/generated/results.ts';
import { PATH_FORMS } from '../../../report/scope.ts';
import { type Exchange, getEntities, getJson, type Json, succeeds } from '../exchange.ts';
import { isList } from '../lists.ts';
import { readIds } from './entities.ts';
import { getEnd, getStart, type Memory } from './memory.ts';

type Value = Observation['value'];

/** Returns what a response shows of an open point; undefined if it shows nothing. */
type Observe = (each: Exchange, memory: Memory) => Value | undefined;

/** Another client may have changed the service, so that a response seldom shows what is not so. */
const MIN_SHARE = 0.2;

const isOf = (each: Exchange, operation: Exchange['operation']): boolean => each.operation === operation;
const getSize = ({ query }: Exchange): number => Number(query.get('pageSize') ?? 100);
const observeSuccess =
  (operation: Exchange['operation']): Observe =>
  (each) =>
    isOf(each, operation) && succeeds(each) ? each.answer.status : undefined;
/** A 403 or 404 that a list's operation does not document. */
const observeHidden = (each: Exchange): Value | undefined => ([403, 404].includes(each.answer.status) ? each.answer.status : undefined);
const isByNumber = (each: Exchange): boolean => isOf(each, 'getExperienceConnections') && !each.query.has('accountId');
const isListOfExperiences = (each: Exchange): boolean => isList(each) && !isOf(each, 'getUsers');

const OBSERVERS: Readonly<Partial<Record<DecisionId, Observe>>> = {
  'auth.missing-scope'({ operation, answer: { status }, call: { credential } }) {
    const { scope } = operations[operation];
    if (credential?.scopes === undefined || credential.scopes.includes(scope) || operation.startsWith('getUser')) return undefined;
    return [401, 403].includes(status) ? status : undefined;
  },
  'lists.hidden-account': (each) => (isListOfExperiences(each) && each.query.has('accountId') ? observeHidden(each) : undefined),
  'connections.list.unknown-number': (each) => (isByNumber(each) ? observeHidden(each) : undefined),
  'lists.page-size'(each) {
    const { length } = getEntities(each);
    const { pageSize } = getJson(each);
    if (!isList(each) || length === 0 || length >= getSize(each)) return undefined;
    return pageSize === length ? 'held' : pageSize === getSize(each) ? 'asked-for' : undefined;
  },
  'lists.last-page'(each, memory) {
    const { cursor = null } = getJson(each);
    if (!isList(each) || !succeeds(each) || cursor !== null) return undefined;
    if (getEntities(each).length === getSize(each)) return 'none';
    return memory.isNextPage(each) && getEntities(each).length === 0 ? 'empty-page' : undefined;
  },
  'lists.order'(each, memory) {
    if (!isListOfExperiences(each)) return undefined;
    const created = getEntities(each).flatMap(({ id }) => memory.getCreation(id) ?? []);
    const [first, second] = created;
    if (first === undefined || second === undefined) return undefined;
    if (getEnd(first) < getStart(second)) return 'newest-last';
    return getEnd(second) < getStart(first) ? 'newest-first' : undefined;
  },
  'assignability.already-assigned'(each, memory) {
    if (!isOf(each, 'getExperienceAssignability') || !succeeds(each)) return undefined;
    const assignment = { experienceId: each.id, ...Object.fromEntries(each.query) };
    return memory.find('assignment', assignment).length > 0 ? (getJson(each).assignable as Value) : undefined;
  },
  'limits.assignability.retry-after': (each) =>
    isOf(each, 'getExperienceAssignability') && each.answer.status === 429 && each.hasHeaders
      ? each.answer.headers['retry-after'] === undefined
        ? 'absent'
        : 'sent'
      : undefined,
  'assignments.list.page-size-out-of-range'(each) {
    const size = each.query.get('pageSize') ?? '';
    if (!isOf(each, 'getExperienceAssignments') || !/^-?\d+$/.test(size) || (Number(size) >= 1 && Number(size) <= 100)) return undefined;
    return succeeds(each) ? 'clamped' : each.answer.status === 400 ? 400 : undefined;
  },
  'assignments.list.account-with-target'(each) {
    if (!isOf(each, 'getExperienceAssignments') || !each.query.has('accountId') || !each.query.has('targetValue')) return undefined;
    return succeeds(each) ? 'and' : each.answer.status === 400 ? 400 : undefined;
  },
  'assignments.create.malformed-body': (each) =>
    isOf(each, 'createExperienceAssignment') && typeof each.call.request?.body === 'string' && [400, 422].includes(each.answer.status)
      ? each.answer.status
      : undefined,
  'assignments.create.duplicate'(each, memory) {
    if (!isOf(each, 'createExperienceAssignment') || ![409, 422].includes(each.answer.status)) return undefined;
    const { experienceId, targetType, targetValue } = readIds(each);
    return memory.find('assignment', { experienceId, targetType, targetValue }).length > 0 ? each.answer.status : undefined;
  },
  'connections.create.status': observeSuccess('createExperienceConnection'),
  'connections.update.status': observeSuccess('updateExperienceConnection'),
  'connections.delete.status': observeSuccess('deleteExperienceConnection'),
  'connections.create.initial-state'(each, memory) {
    const { state } = getJson(each) as Json;
    const creation = memory.getCreation(each.id);
    if (!isOf(each, 'getExperienceConnection') || creation === undefined || memory.isUpdated(each.id)) return undefined;
    return succeeds(each) && readIds(creation).state === undefined ? (state as Value) : undefined;
  },
};

/** Collects what the service does where the specification leaves a point open. */
export class ObservedDecisions {
  private readonly counts = new Map<string, Map<Value, { count: number; readonly forms: Set<Exchange['form']> }>>();

  add(each: Exchange, memory: Memory): void {
    for (const [decision, observe] of Object.entries(OBSERVERS)) {
      const value = observe(each, memory);
      if (value === undefined || value === null) continue;
      const values = this.counts.get(decision) ?? new Map<Value, { count: number; readonly forms: Set<Exchange['form']> }>();
      const found = values.get(value) ?? { count: 0, forms: new Set() };
      found.count += 1;
      this.counts.set(decision, values.set(value, { ...found, forms: found.forms.add(each.form) }));
    }
  }

  list(): readonly Observation[] {
    return [...this.counts].flatMap(([decision, values]) => {
      const total = [...values.values()].reduce((sum, { count }) => sum + count, 0);
      const usual = [...values].filter(([, { count }]) => count >= total * MIN_SHARE);
      return usual.map(([value, { forms }]) => ({
        decision,
        value,
        forms: PATH_FORMS.filter((form) => forms.has(form) || forms.has(undefined)),
      }));
    });
  }
}
