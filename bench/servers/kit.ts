import { addAssignments, addNumbers, addUsers, benchWorld } from '../world.ts';

/** The content of the world of a measured kit. */
export interface KitSetup {
  /** The number of clients. The world contains a token for each client. */
  readonly clients: number;
  /** The number of assignments in the account. Default: 0. */
  readonly assignments?: number;
  /** The number of users in the account. Default: 0. */
  readonly users?: number;
  /** The number of unassigned telephone numbers in the account. Default: 0. */
  readonly numbers?: number;
  /** The path of a SQLite file for the world. If absent, the world is stored in memory. */
  readonly data?: string;
}

export interface StartedKit {
  readonly port: number;
  readonly tokens: readonly string[];
}

// Import the kit from `dist`, because users install the compiled kit.
const { createKit } = (await import(new URL('../../dist/src/kit.js', import.meta.url).href)) as typeof import('../../src/kit.ts');

const setup = JSON.parse(process.argv[2] ?? '{}') as KitSetup;
const kit = await createKit({ port: 0, fixtures: benchWorld(setup.clients), data: setup.data });
if (setup.assignments) await addAssignments(kit.store.db, setup.assignments);
if (setup.users) await addUsers(kit.store.db, setup.users);
if (setup.numbers) await addNumbers(kit.store.db, setup.numbers);
process.send!({ port: kit.port, tokens: Object.values(await kit.tokens()) } satisfies StartedKit);
