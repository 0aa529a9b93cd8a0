import type { Evidence } from '../contract/evidence.ts';
import { addEvidence, refuse } from '../contract/failure.ts';
import type { Decisions } from '../contract/generated/decisions.ts';
import {
  type Access,
  type Actor,
  createAccessLevelEvidence,
  createUnknownEntityEvidence,
  getLevel,
  MANAGE,
  NONE,
  refuseMember,
} from './access.ts';
import { createConnectionEvent, type DomainEvent, type ExperienceFacts } from './events.ts';
import { getNextInstant } from './instants.ts';

export type ConnectionState = 'ACTIVE' | 'INACTIVE';

interface Connection {
  readonly id: string;
  readonly accountId: string;
  readonly state: ConnectionState;
  readonly updatedAt: string;
}

interface ConnectionFacts {
  readonly experience: Access | undefined;
  readonly account: Access | undefined;
  /** Set if the account and the Experience are already connected. */
  readonly existingId: string | undefined;
}

export function refuseConnection(
  actor: Actor,
  { accountId, experienceId }: { readonly accountId: string; readonly experienceId: string },
  { experience, account, existingId }: ConnectionFacts,
) {
  if (!experience) return refuseUnknownId('Experience', 'experienceId', createUnknownEntityEvidence('experience', experienceId));
  if (getLevel(actor, experience) === NONE)
    return refuseUnknownId('Experience', 'experienceId', createAccessLevelEvidence(actor, 'manage', experience));
  if (!account) return refuseUnknownId('account', 'accountId', createUnknownEntityEvidence('account', accountId));
  const access = { ...experience, ...account };
  if (getLevel(actor, account) === NONE) return refuseUnknownId('account', 'accountId', createAccessLevelEvidence(actor, 'manage', access));
  if (getLevel(actor, access) < MANAGE) {
    const refusal = refuse(403, 'connections.create.read-only', 'The caller may not create this connection.');
    return addEvidence(refusal, createAccessLevelEvidence(actor, 'manage', access));
  }
  if (existingId !== undefined) {
    const refusal = refuse(409, 'connections.create.exists', 'A connection between this account and this Experience already exists.');
    return addEvidence(refusal, { cause: 'connection exists', connectionId: existingId });
  }
  return undefined;
}

const refuseUnknownId = (what: string, member: string, evidence: Evidence) =>
  refuseMember('connections.create.unknown-account-or-experience', `There is no such ${what}.`, member, evidence);

export function listCreationEvents(connection: Connection & ExperienceFacts, decisions: Decisions): DomainEvent[] {
  const { state } = connection;
  const decisionId = state === 'ACTIVE' ? 'connections.create.activated-event' : 'connections.create.deactivated-event';
  const created = createConnectionEvent('created', connection);
  return decisions[decisionId] === 'yes' ? [created, createConnectionEvent(toStateChange(state), connection)] : [created];
}

export const toStateChange = (state: ConnectionState) => (state === 'ACTIVE' ? 'activated' : 'deactivated');

/** Each event has a later `updatedAt` than the previous one. @param now kit time, in milliseconds */
export function listDeletionEvents(connection: Connection & ExperienceFacts, now: number, decisions: Decisions): DomainEvent[] {
  const deactivatesFirst = connection.state === 'ACTIVE' && decisions['events.connection.deleted.deactivated-first'] === 'yes';
  let { updatedAt } = connection;
  return (deactivatesFirst ? (['deactivated', 'deleted'] as const) : (['deleted'] as const)).map((change) => {
    updatedAt = getNextInstant(now, updatedAt);
    return createConnectionEvent(change, { ...connection, updatedAt });
  });
}

/** Refuses to change a connection to its current state (States and transitions, row 3). */
export function refuseSameState({ id, updatedAt }: Pick<Connection, 'id' | 'updatedAt'>, state: ConnectionState) {
  const refusal = refuse(409, 'connections.update.same-state', `The connection is already ${state}.`);
  return addEvidence(refusal, { cause: 'present state', connectionId: id, state, updatedAt });
}

/** Returns whether assigned numbers prevent a deletion (States and transitions, row 5). */
export function isDeletionBlockedByNumbers(actor: Actor, decisions: Decisions): boolean {
  return actor.kind === 'provider' || (actor.kind === 'portal' && decisions['portal.delete-with-numbers'] === 'refused');
}

export function refuseAssignedNumbers(
  connectionId: string,
  assignments: readonly { readonly assignmentId: string; readonly number: string }[],
) {
  if (assignments.length === 0) return undefined;
  const refusal = refuse(409, 'connections.delete.numbers-assigned', 'Telephone numbers are still assigned to the Experience.');
  return addEvidence(refusal, { cause: 'numbers assigned', connectionId, assignments });
}
