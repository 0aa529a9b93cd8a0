import type { Executor } from '../store/engine.ts';
import { dumpMembers } from './dump.ts';
import { COLLECTIONS } from './entities.ts';
import { dumpMeta } from './meta.ts';

/** Dumps the whole state except the history, as YAML. Read all chunks in one `store.read`, so that they are consistent. */
export async function* dumpYaml(db: Executor): AsyncGenerator<string, void> {
  const { stringify } = await import('yaml');
  const format = (value: object) => stringify(value, { lineWidth: 0 });
  const { tokens, ...world } = await dumpMeta(db);
  yield format(world);
  for (const collection of COLLECTIONS) {
    let separator = '';
    for await (const members of dumpMembers(db, collection)) {
      const text = format({ [collection]: JSON.parse(`{${members.slice(separator.length)}}`) });
      // Only a collection's first chunk contains the line with the collection's name.
      yield separator === '' ? text : text.slice(text.indexOf('\n') + 1);
      separator = ',';
    }
  }
  if (Object.keys(tokens).length > 0) yield format({ tokens });
}
