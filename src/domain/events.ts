import type { components, EventType } from '../contract/generated/events.ts';

type Schemas = components['schemas'];
/** An event as a subscriber gets it (Events › Envelope). */
export type ProviderEvent = Schemas['ExperienceProviderEvent'];

/** What an event says of the Experience it belongs to. */
export interface ExperienceFacts {
  readonly id: string;
  readonly name: string;
  /** The provider that owns the Experience, and whose subscriptions get its events. */
  readonly providerId: string;
}

/** Something that happened, before it is given an id and subscribers. */
export interface DomainEvent {
  readonly type: EventType;
  readonly experience: ExperienceFacts;
  readonly entityId: string;
  readonly data: ProviderEvent['data'];
}

interface ConnectionFacts {
  readonly id: string;
  readonly accountId: string;
  readonly updatedAt: string;
}

export function connectionEvent(
  happened: 'created' | 'activated' | 'deactivated' | 'deleted',
  connection: ConnectionFacts,
  experience: ExperienceFacts,
): DomainEvent {
  return {
    type: `experience.connection.${happened}`,
    experience,
    entityId: connection.id,
    data: {
      connectionId: connection.id,
      experienceId: experience.id,
      experienceName: experience.name,
      providerId: experience.providerId,
      accountId: connection.accountId,
      updatedAt: connection.updatedAt,
    },
  };
}

interface AssignmentFacts {
  readonly id: string;
  readonly accountId: string;
  readonly targetType: 'ACCOUNT' | 'PHONE_NUMBER' | 'USER';
  readonly targetValue: string;
  readonly updatedAt: string;
}

export function assignmentEvent(happened: 'created' | 'deleted', assignment: AssignmentFacts, experience: ExperienceFacts): DomainEvent {
  return {
    type: `experience.assignment.${happened}`,
    experience,
    entityId: assignment.id,
    data: {
      assignmentId: assignment.id,
      experienceId: experience.id,
      experienceName: experience.name,
      providerId: experience.providerId,
      accountId: assignment.accountId,
      targetType: assignment.targetType,
      targetValue: assignment.targetValue,
      updatedAt: assignment.updatedAt,
    },
  };
}

interface UserFacts {
  readonly id: string;
  readonly accountId: string;
  readonly updatedAt: string;
}

/** One event for an Experience that the user's account is assigned to. */
export function provisioningEvent(happened: 'created' | 'deleted', user: UserFacts, experience: ExperienceFacts): DomainEvent {
  return {
    type: `provisioning.user.${happened}`,
    experience,
    entityId: user.id,
    data: { userId: user.id, accountId: user.accountId, updatedAt: user.updatedAt },
  };
}
