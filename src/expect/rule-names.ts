// Which rule a target breaks if it differs from the model, or does not publish an event.
import type { EventType } from '../contract/generated/events.ts';
import type { OperationId } from '../contract/generated/operations.ts';
import type { RuleId } from '../contract/generated/rules.ts';
import { rules } from '../contract/generated/rules-table.ts';

export const SUCCESS_RULES: Readonly<Record<OperationId, RuleId>> = {
  getExperienceAssignability: 'assignability.shape',
  getExperienceAssignments: 'assignments.list.by-account',
  createExperienceAssignment: 'assignments.create.created',
  getExperienceAssignment: 'assignments.get.found',
  deleteExperienceAssignment: 'assignments.delete.no-body',
  getExperienceConnections: 'connections.list.by-account',
  createExperienceConnection: 'connections.create.success',
  getExperienceConnection: 'connections.get.found',
  updateExperienceConnection: 'connections.update.activates',
  deleteExperienceConnection: 'connections.delete.deleted',
  getUsers: 'users.list.by-account',
  getUser: 'users.get.by-unified-id',
};

/** If an entity that exists cannot be read. */
export const FOUND_RULES: Readonly<Partial<Record<OperationId, RuleId>>> = {
  getExperienceAssignment: 'assignments.get.found',
  getExperienceConnection: 'connections.get.found',
  getUser: 'users.get.by-unified-id',
};

/** If a deleted entity can be read. */
export const GONE_RULES = {
  connection: 'connections.delete.gone',
  assignment: 'assignments.delete.gone',
  user: 'users.get.not-found',
  number: 'assignability.unknown-target-false',
  account: 'users.list.no-match-empty',
} as const satisfies Readonly<Record<string, RuleId>>;

/** If an entity is shown to somebody who may not see it. */
export const HIDDEN_RULES: Readonly<Partial<Record<OperationId, RuleId>>> = {
  getExperienceAssignability: 'assignability.not-found',
  getExperienceAssignment: 'assignments.get.not-found',
  getExperienceAssignments: 'assignments.list.only-visible',
  getExperienceConnection: 'connections.get.not-found',
  getExperienceConnections: 'connections.list.only-visible',
  getUser: 'users.get.not-found',
  getUsers: 'users.list.hidden-account-empty',
};

/** If an entity is lost or changed by a step that was about another entity. */
export const OTHERS_UNCHANGED_RULES = [
  ['connection', 'connections.only-changed'],
  ['assignment', 'assignments.only-changed'],
] as const satisfies readonly (readonly [string, RuleId])[];

const CONNECTION_MEMBERS: Readonly<Record<string, RuleId>> = {
  id: 'connections.get.found',
  accountId: 'connections.create.listed',
  experienceId: 'connections.create.listed',
  state: 'connections.update.activates',
};
const ASSIGNMENT_MEMBERS: Readonly<Record<string, RuleId>> = {
  id: 'assignments.get.found',
  accountId: 'assignments.create.account-of-target',
  experienceId: 'assignments.create.echo',
  targetType: 'assignments.create.echo',
  targetValue: 'assignments.create.echo',
};
const ASSIGNABILITY_MEMBERS: Readonly<Record<string, RuleId>> = {
  experienceId: 'assignability.echo',
  targetType: 'assignability.echo',
  targetValue: 'assignability.echo',
};
const USER_MEMBERS: Readonly<Record<string, RuleId>> = {
  id: 'users.get.unified-id',
  accountId: 'users.list.by-account',
  firstName: 'users.get.current',
  lastName: 'users.get.current',
};
export const MEMBER_RULES: Readonly<Record<string, Readonly<Record<string, RuleId>>>> = {
  getExperienceAssignability: ASSIGNABILITY_MEMBERS,
  getExperienceAssignment: ASSIGNMENT_MEMBERS,
  getExperienceAssignments: ASSIGNMENT_MEMBERS,
  createExperienceAssignment: ASSIGNMENT_MEMBERS,
  getExperienceConnection: CONNECTION_MEMBERS,
  getExperienceConnections: CONNECTION_MEMBERS,
  getUser: USER_MEMBERS,
  getUsers: { ...USER_MEMBERS, firstName: 'users.list.eventually-current', lastName: 'users.list.eventually-current' },
};

/** The rule of a list's filters. */
export function findListRule(operation: OperationId, query: Readonly<Record<string, unknown>>): RuleId {
  if (operation === 'getUsers') return 'users.list.by-account';
  if (operation === 'getExperienceConnections') {
    const numbers = [query.telephoneNumber, query.tn].filter((each) => each !== undefined);
    if (query.accountId !== undefined && numbers.length > 0) return 'connections.list.account-wins';
    if (numbers.length > 1) return 'connections.list.telephone-number-wins';
    if (query.experienceId !== undefined) return 'connections.list.by-experience';
    if (query.accountId !== undefined) return 'connections.list.by-account';
    return query.tn === undefined ? 'connections.list.by-telephone-number' : 'connections.list.by-tn';
  }
  if (query.targetValue !== undefined) return 'assignments.list.by-target';
  if (query.experienceId === undefined)
    return query.targetType === undefined ? 'assignments.list.by-account' : 'assignments.list.by-account-and-type';
  return query.targetType === undefined ? 'assignments.list.by-account-and-experience' : 'assignments.list.by-account-experience-and-type';
}

/** The kit's name for the reason of a refusal. */
export function readReason({ json }: { readonly json: unknown }): string {
  const { type = '' } = (json ?? {}) as { type?: string };
  return type.replace('/problems/', '');
}

export function nameRefusalRule(reason: string, fallback: RuleId): RuleId {
  return [reason, `${reason}-refused`].find((id): id is RuleId => Object.hasOwn(rules, id)) ?? fallback;
}

/** The rules for user events are about changes on the platform, because no API call creates or deletes users. */
export const RULE_BY_EVENT_TYPE: Readonly<Record<EventType, RuleId>> = {
  'experience.connection.created': 'events.connection.created.on-create',
  'experience.connection.activated': 'events.connection.activated.on-update',
  'experience.connection.deactivated': 'events.connection.deactivated.on-update',
  'experience.connection.deleted': 'events.connection.deleted.on-delete',
  'experience.assignment.created': 'events.assignment.created.on-create',
  'experience.assignment.deleted': 'events.assignment.deleted.on-delete',
  'provisioning.user.created': 'events.provisioning.created.on-platform-create',
  'provisioning.user.deleted': 'events.provisioning.deleted.on-platform-delete',
};
