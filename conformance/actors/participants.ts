import type { Capability, Need } from '../target/capabilities.ts';
import type { Client } from './api-client.ts';
import type { Assignments } from './assignments.ts';
import type { Connections } from './connections.ts';
import type { Events } from './event-subscriptions.ts';
import type { OperatorActions } from './operator.ts';

/** What every check can use. Its entities are removed after the check. */
export interface Participants {
  /** Sends requests to the prefixed or to the flat paths, depending on the check's group. */
  readonly api: Client;
  /** Returns one of the target's capabilities, or ends the check as not testable. */
  readonly need: Need;
  readonly has: (capability: Capability) => boolean;
  readonly events: Events;
  /** The operator's and end users' actions, on the platform or in a portal. */
  readonly operator: OperatorActions;
  readonly connections: Connections;
  readonly assignments: Assignments;
}
