import { StatementSync } from 'node:sqlite';
import { addAssignments, addNumbers, addUsers, createBenchWorld, type KitSetup } from '../world.ts';

export interface StartedKit {
  readonly port: number;
  readonly tokens: readonly string[];
}

// Import the kit from `dist`, because users install the compiled kit.
const { createKit } = (await import(new URL('../../../dist/src/kit.js', import.meta.url).href)) as typeof import('../../../src/kit.ts');

const setup = JSON.parse(process.argv[2] ?? '{}') as KitSetup;
let statements = 0;
if (setup.countStatements) {
  const { prototype } = StatementSync as unknown as { prototype: Record<string, (...args: unknown[]) => unknown> };
  for (const method of ['all', 'get', 'run', 'iterate']) {
    const original = prototype[method]!;
    prototype[method] = function (...args) {
      statements += 1;
      return original.apply(this, args);
    };
  }
}
const { data, database, journal, usersLimit = 0 } = setup;
const kit = await createKit(
  { port: 0, fixtures: createBenchWorld(setup), data, database, set: { 'users.rate-limit': usersLimit } },
  journal === undefined ? {} : { journalCapacity: journal },
);
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
