import { createControlFailure } from '../contract/failure.ts';
import { countEntities } from '../store/counts.ts';
import { compileFile } from '../world/compile-file.ts';
import { dumpYaml } from '../world/dump-yaml.ts';
import type { ControlHandlers } from './handler.ts';
import { loadWorld } from './state.ts';

export const worldFileHandlers: Pick<ControlHandlers, 'readWorld' | 'downloadWorld' | 'uploadWorld'> = {
  readWorld: async (_, { store, world }) => ({ status: 200, body: { world: world.name, entities: await countEntities(store.db) } }),
  downloadWorld: (_, { store }) => ({ type: 'application/yaml', send: (chunks) => store.read((db) => chunks(dumpYaml(db))) }),

  /** Publishes no events. If the file is invalid, changes nothing and reports the first problems with their lines. */
  async uploadWorld({ body: { yaml, name = 'world.yaml' } }, deps) {
    const { world, rows, problems } = await compileFile({ text: yaml, name });
    if (rows) return loadWorld(world, rows, deps);
    const errors = problems.map((message) => ({ pointer: '/yaml', message }));
    return createControlFailure('invalid', errors[0]!.message, errors);
  },
};
