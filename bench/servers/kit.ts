import { addAssignments, addNumbers, addUsers, benchWorld } from '../world.ts';

/** The world of a kit. */
export interface KitSetup {
  /** The number of clients. Each has one token. */
  readonly clients: number;
  /** Assignments in the account. */
  readonly assignments?: number;
  /** Users in the account. */
  readonly users?: number;
  /** Numbers in the account that are not assigned. */
  readonly numbers?: number;
  /** A SQLite file to keep the world in; without it, the world is in memory. */
  readonly data?: string;
}

export interface StartedKit {
  readonly port: number;
  readonly tokens: readonly string[];
}

// The built package, as users install it.
const { createKit } = (await import(new URL('../../dist/src/kit.js', import.meta.url).href)) as typeof import('../../src/kit.ts');

const setup = JSON.parse(process.argv[2] ?? '{}') as KitSetup;
const kit = await createKit({ port: 0, fixtures: benchWorld(setup.clients), data: setup.data });
if (setup.assignments) await addAssignments(kit.store.db, setup.assignments);
if (setup.users) await addUsers(kit.store.db, setup.users);
if (setup.numbers) await addNumbers(kit.store.db, setup.numbers);
process.send!({ port: kit.port, tokens: Object.values(await kit.tokens()) } satisfies StartedKit);
