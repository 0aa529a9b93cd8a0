import type { Capability } from '../target/capabilities.ts';
import type { Need } from '../target/need.ts';
import type { Client } from './api-client.ts';
import type { Assignments } from './assignments.ts';
import type { Connections } from './connections.ts';
import type { Events } from './event-subscriptions.ts';
import type { OperatorActions } from './operator.ts';

export interface Participants {
  readonly api: Client;
  readonly need: Need;
  readonly has: (capability: Capability) => boolean;
  readonly events: Events;
  readonly operator: OperatorActions;
  readonly connections: Connections;
  readonly assignments: Assignments;
}
