// Machine-written by `npm run generate` from openapi/asyncapi.yaml. Do not edit.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /** @description The headers of a delivery. HTTP header names are case-insensitive; this schema contains them in lower case. */
    DeliveryHeaders: {
      /** @description The event's unique id, by which a consumer deduplicates deliveries. */
      "webhook-id": string;
      /** @description The time of the delivery as Unix time in seconds, as a string. The specification does not say whether the number is an integer. */
      "webhook-timestamp": string;
    };
    /** @description The members of every event. The members of data depend on the event's type. */
    EventEnvelope: {
      /** @description The event's type, in the form domain.entity.action. */
      type: string;
      timestamp: components["schemas"]["DateTimeUtc"];
      /** @description The id of the subscription for which the event is delivered. */
      subscriptionId: string;
      scope: components["schemas"]["EventScope"];
    };
    /** @description The Experience to which the event belongs. */
    EventScope: {
      /** @description The id of the Experience that the event is about. */
      experienceId: string;
    };
    /** @description The connection that an event is about. All fields are required. */
    ConnectionEventData: {
      connectionId: components["schemas"]["Uuid"];
      experienceId: components["schemas"]["Uuid"];
      /** @description The name of the Experience. */
      experienceName: string;
      /** @description The opaque id of the Experience's provider. The format is not documented. */
      providerId: string;
      accountId: components["schemas"]["Uuid"];
      updatedAt: components["schemas"]["DateTime"];
    };
    /** @description The assignment that an event is about. All fields are required. The format of targetValue depends on targetType. */
    AssignmentEventData: {
      assignmentId: components["schemas"]["Uuid"];
      experienceId: components["schemas"]["Uuid"];
      /** @description The name of the Experience. */
      experienceName: string;
      /** @description The opaque id of the Experience's provider. The format is not documented. */
      providerId: string;
      accountId: components["schemas"]["Uuid"];
      targetType: components["schemas"]["TargetType"];
      /** @description The UUID of the user or the account, or the telephone number in E.164. */
      targetValue: string;
      updatedAt: components["schemas"]["DateTime"];
    };
    /** @description The user that an event is about. All fields are required, including the updatedAt of a user that was never updated. */
    ProvisioningEventData: {
      userId: components["schemas"]["Uuid"];
      accountId: components["schemas"]["Uuid"];
      updatedAt: components["schemas"]["DateTime"];
    };
    /** @description A connection was created for an account. */
    ExperienceConnectionCreated: {
      /** @constant */
      type: "experience.connection.created";
      timestamp: components["schemas"]["DateTimeUtc"];
      /** @description The id of the subscription for which the event is delivered. */
      subscriptionId: string;
      scope: components["schemas"]["EventScope"];
      data: components["schemas"]["ConnectionEventData"];
    };
    /** @description A connection became ACTIVE. */
    ExperienceConnectionActivated: {
      /** @constant */
      type: "experience.connection.activated";
      timestamp: components["schemas"]["DateTimeUtc"];
      /** @description The id of the subscription for which the event is delivered. */
      subscriptionId: string;
      scope: components["schemas"]["EventScope"];
      data: components["schemas"]["ConnectionEventData"];
    };
    /** @description A connection became INACTIVE. */
    ExperienceConnectionDeactivated: {
      /** @constant */
      type: "experience.connection.deactivated";
      timestamp: components["schemas"]["DateTimeUtc"];
      /** @description The id of the subscription for which the event is delivered. */
      subscriptionId: string;
      scope: components["schemas"]["EventScope"];
      data: components["schemas"]["ConnectionEventData"];
    };
    /** @description A connection no longer exists. */
    ExperienceConnectionDeleted: {
      /** @constant */
      type: "experience.connection.deleted";
      timestamp: components["schemas"]["DateTimeUtc"];
      /** @description The id of the subscription for which the event is delivered. */
      subscriptionId: string;
      scope: components["schemas"]["EventScope"];
      data: components["schemas"]["ConnectionEventData"];
    };
    /** @description An Experience was assigned to an account, a telephone number or a user. */
    ExperienceAssignmentCreated: {
      /** @constant */
      type: "experience.assignment.created";
      timestamp: components["schemas"]["DateTimeUtc"];
      /** @description The id of the subscription for which the event is delivered. */
      subscriptionId: string;
      scope: components["schemas"]["EventScope"];
      data: components["schemas"]["AssignmentEventData"];
    };
    /** @description An Experience is no longer assigned to its target. */
    ExperienceAssignmentDeleted: {
      /** @constant */
      type: "experience.assignment.deleted";
      timestamp: components["schemas"]["DateTimeUtc"];
      /** @description The id of the subscription for which the event is delivered. */
      subscriptionId: string;
      scope: components["schemas"]["EventScope"];
      data: components["schemas"]["AssignmentEventData"];
    };
    /** @description A user was created in an account that is assigned to the Experience. */
    ProvisioningUserCreated: {
      /** @constant */
      type: "provisioning.user.created";
      timestamp: components["schemas"]["DateTimeUtc"];
      /** @description The id of the subscription for which the event is delivered. */
      subscriptionId: string;
      scope: components["schemas"]["EventScope"];
      data: components["schemas"]["ProvisioningEventData"];
    };
    /** @description A user was deleted in an account that is assigned to the Experience. */
    ProvisioningUserDeleted: {
      /** @constant */
      type: "provisioning.user.deleted";
      timestamp: components["schemas"]["DateTimeUtc"];
      /** @description The id of the subscription for which the event is delivered. */
      subscriptionId: string;
      scope: components["schemas"]["EventScope"];
      data: components["schemas"]["ProvisioningEventData"];
    };
    /** @description Any event, distinguished by its type. */
    ExperienceProviderEvent: components["schemas"]["ExperienceConnectionCreated"] | components["schemas"]["ExperienceConnectionActivated"] | components["schemas"]["ExperienceConnectionDeactivated"] | components["schemas"]["ExperienceConnectionDeleted"] | components["schemas"]["ExperienceAssignmentCreated"] | components["schemas"]["ExperienceAssignmentDeleted"] | components["schemas"]["ProvisioningUserCreated"] | components["schemas"]["ProvisioningUserDeleted"];
    /**
     * @description An instant in ISO 8601, in UTC.
     * @example 2026-03-01T09:30:00.000Z
     */
    DateTimeUtc: string;
    /**
     * @description A UUID in the 8-4-4-4-12 form. The specification leaves the letter case open. The kit's responses contain lower-case letters.
     * @example 0f5ad5bc-63f2-4d6c-9d7e-2b7f1f0a5c11
     */
    Uuid: string;
    /**
     * @description An instant in ISO 8601, with an offset from UTC.
     * @example 2026-03-01T09:30:00.000Z
     */
    DateTime: string;
    /**
     * @description A telephone number in E.164 form: a plus, then at most 15 digits.
     * @example +12065550100
     */
    E164: string;
    /**
     * @description The type of the target to which an Experience is assigned.
     * @enum {string}
     */
    TargetType: "ACCOUNT" | "PHONE_NUMBER" | "USER";
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type DeliveryHeaders = components['schemas']['DeliveryHeaders'];
export type EventEnvelope = components['schemas']['EventEnvelope'];
export type EventScope = components['schemas']['EventScope'];
export type ConnectionEventData = components['schemas']['ConnectionEventData'];
export type AssignmentEventData = components['schemas']['AssignmentEventData'];
export type ProvisioningEventData = components['schemas']['ProvisioningEventData'];
export type ExperienceConnectionCreated = components['schemas']['ExperienceConnectionCreated'];
export type ExperienceConnectionActivated = components['schemas']['ExperienceConnectionActivated'];
export type ExperienceConnectionDeactivated = components['schemas']['ExperienceConnectionDeactivated'];
export type ExperienceConnectionDeleted = components['schemas']['ExperienceConnectionDeleted'];
export type ExperienceAssignmentCreated = components['schemas']['ExperienceAssignmentCreated'];
export type ExperienceAssignmentDeleted = components['schemas']['ExperienceAssignmentDeleted'];
export type ProvisioningUserCreated = components['schemas']['ProvisioningUserCreated'];
export type ProvisioningUserDeleted = components['schemas']['ProvisioningUserDeleted'];
export type ExperienceProviderEvent = components['schemas']['ExperienceProviderEvent'];
export type DateTimeUtc = components['schemas']['DateTimeUtc'];
export type Uuid = components['schemas']['Uuid'];
export type DateTime = components['schemas']['DateTime'];
export type E164 = components['schemas']['E164'];
export type TargetType = components['schemas']['TargetType'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;

/** Every event type (Events › Event types). */
export const eventTypes = [
  'experience.connection.created',
  'experience.connection.activated',
  'experience.connection.deactivated',
  'experience.connection.deleted',
  'experience.assignment.created',
  'experience.assignment.deleted',
  'provisioning.user.created',
  'provisioning.user.deleted',
] as const;

export type EventType = (typeof eventTypes)[number];

/** The event of one type. */
export type EventOf<Type extends EventType> = Extract<ExperienceProviderEvent, { type: Type }>;
