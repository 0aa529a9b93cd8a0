import { createControlFailure } from '../contract/failure.ts';
import { countEntities } from '../store/counts.ts';
import { dumpYaml } from '../world/dump-yaml.ts';
import { FixtureError } from '../world/problem.ts';
import { compileSource } from '../world/yaml.ts';
import type { ControlHandlers } from './handler.ts';
import { loadWorld } from './state.ts';

export const worldFileHandlers: Pick<ControlHandlers, 'readWorld' | 'downloadWorld' | 'uploadWorld'> = {
  readWorld: async (_, { store, world }) => ({ status: 200, body: { world: world.name, entities: await countEntities(store.db) } }),
  downloadWorld: (_, { store }) => ({ type: 'application/yaml', send: (chunks) => store.read((db) => chunks(dumpYaml(db))) }),

  /** Publishes no events. If the file is invalid, changes nothing and reports each problem with its line. */
  async uploadWorld({ body: { yaml, name = 'world.yaml' } }, deps) {
    const { parseSource } = await import('../world/parse-source.ts');
    try {
      const { world, rows } = compileSource(parseSource(yaml, name));
      return await loadWorld(world.world, rows, deps);
    } catch (error) {
      if (!(error instanceof FixtureError)) throw error;
      const errors = error.problems.map((message) => ({ pointer: '/yaml', message }));
      return createControlFailure('invalid', errors[0]?.message ?? error.message, errors);
    }
  },
};
