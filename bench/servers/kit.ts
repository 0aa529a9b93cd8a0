import { StatementSync } from 'node:sqlite';
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
  /** The number of additional subscriptions, to events that nothing publishes. Default: 0. */
  readonly subscriptions?: number;
  /** The URL to which the events of new assignments are delivered. If absent, an inbox of the kit gets them. */
  readonly destinationUrl?: string;
  /** The path of a SQLite file for the world. If absent, the world is stored in memory. */
  readonly data?: string;
  /** The URL of a PostgreSQL database for the world. */
  readonly database?: string;
  /** Whether to count SQL statements, which makes the kit a little slower. */
  readonly counting?: boolean;
}

export interface StartedKit {
  readonly port: number;
  readonly tokens: readonly string[];
}

// Import the kit from `dist`, because users install the compiled kit.
const { createKit } = (await import(new URL('../../dist/src/kit.js', import.meta.url).href)) as typeof import('../../src/kit.ts');

const setup = JSON.parse(process.argv[2] ?? '{}') as KitSetup;
let statements = 0;
if (setup.counting) {
  const { prototype } = StatementSync as unknown as { prototype: Record<string, (...args: unknown[]) => unknown> };
  for (const method of ['all', 'get', 'run', 'iterate']) {
    const original = prototype[method]!;
    prototype[method] = function (...args) {
      statements += 1;
      return original.apply(this, args);
    };
  }
}
const { data, database } = setup;
const kit = await createKit({ port: 0, fixtures: benchWorld(setup), data, database });
if (setup.assignments) await addAssignments(kit.store.db, setup.assignments);
if (setup.users) await addUsers(kit.store.db, setup.users);
if (setup.numbers) await addNumbers(kit.store.db, setup.numbers);
process.send!({ port: kit.port, tokens: Object.values(await kit.tokens()) } satisfies StartedKit);
process.on('message', async ({ report }: { readonly report: string }) => {
  if (report === 'statements') process.send!({ figure: statements });
  if (report === 'second-kit') {
    const begin = performance.now();
    const second = await createKit({ port: 0 });
    process.send!({ figure: performance.now() - begin });
    await second.close();
  }
});
