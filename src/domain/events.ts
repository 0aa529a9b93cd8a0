import type { components, EventType } from '../contract/generated/events.ts';

/** An event in the form that a subscriber receives (Events › Envelope). */
export type ProviderEvent = components['schemas']['ExperienceProviderEvent'];

/** An event before its publication, without an id or deliveries. */
export interface DomainEvent {
  readonly type: EventType;
  /** The Experience's provider. Only this provider's subscriptions receive the event. */
  readonly providerId: string;
  readonly experienceId: string;
  readonly entityId: string;
  readonly data: ProviderEvent['data'];
}

export interface ExperienceFacts {
  readonly experienceId: string;
  readonly experienceName: string;
  readonly providerId: string;
}

interface EntityFacts {
  readonly id: string;
  readonly accountId: string;
  readonly updatedAt: string;
}

export function createConnectionEvent(
  change: 'created' | 'activated' | 'deactivated' | 'deleted',
  { id, accountId, updatedAt, experienceId, experienceName, providerId }: EntityFacts & ExperienceFacts,
): DomainEvent {
  const data = { connectionId: id, experienceId, experienceName, providerId, accountId, updatedAt };
  return { type: `experience.connection.${change}`, providerId, experienceId, entityId: id, data };
}

interface AssignmentFacts extends EntityFacts, ExperienceFacts {
  readonly targetType: 'ACCOUNT' | 'PHONE_NUMBER' | 'USER';
  readonly targetValue: string;
}

export function createAssignmentEvent(change: 'created' | 'deleted', assignment: AssignmentFacts): DomainEvent {
  const { id, accountId, targetType, targetValue, updatedAt, experienceId, experienceName, providerId } = assignment;
  const data = { assignmentId: id, experienceId, experienceName, providerId, accountId, targetType, targetValue, updatedAt };
  return { type: `experience.assignment.${change}`, providerId, experienceId, entityId: id, data };
}

export function createProvisioningEvent(
  change: 'created' | 'deleted',
  { id, accountId, updatedAt }: EntityFacts,
  { experienceId, providerId }: ExperienceFacts,
): DomainEvent {
  return { type: `provisioning.user.${change}`, providerId, experienceId, entityId: id, data: { userId: id, accountId, updatedAt } };
}
