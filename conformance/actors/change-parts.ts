import type { Capability } from '../target/capabilities.ts';
import type { Need } from '../target/need.ts';
import type { Client } from './client.ts';
import type { Events } from './event-subscriptions.ts';
import type { Assignments } from './make-assignment.ts';
import type { Connections } from './make-connection.ts';
import type { Others } from './others.ts';

/** What changes are made with. Those that only others than the provider can make are left out where the target gives nobody who makes them. */
export interface Parts {
  readonly api: Client;
  readonly need: Need;
  readonly has: (capability: Capability) => boolean;
  readonly events: Events;
  readonly elsewhere: Others;
  readonly connections: Connections;
  readonly assignments: Assignments;
}
