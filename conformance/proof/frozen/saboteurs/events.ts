import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import type { SaboteursOf } from '../saboteur.ts';
import { eventsAssignmentData } from './events-assignment-data.ts';
import { eventsAssignments } from './events-assignments.ts';
import { eventsConnectionData } from './events-connection-data.ts';
import { eventsConnections } from './events-connections.ts';
import { eventsDelivery } from './events-delivery.ts';
import { eventsEnvelope } from './events-envelope.ts';
import { eventsHeaders } from './events-headers.ts';
import { eventsProvisioning } from './events-provisioning.ts';
import { eventsProvisioningData } from './events-provisioning-data.ts';
import { eventsPublish } from './events-publish.ts';
import { eventsSubscriptions } from './events-subscriptions.ts';

/** Servers that break one rule of events each. */
export const events: SaboteursOf<TestableRuleId['asyncapi']> = {
  ...eventsConnections,
  ...eventsAssignments,
  ...eventsProvisioning,
  ...eventsHeaders,
  ...eventsEnvelope,
  ...eventsConnectionData,
  ...eventsAssignmentData,
  ...eventsProvisioningData,
  ...eventsSubscriptions,
  ...eventsDelivery,
  ...eventsPublish,
};
