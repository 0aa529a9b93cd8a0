import type { WorldRows } from '../../world/compile/rows.ts';
import { compileWorld } from '../../world/compile.ts';
import { toPointer } from '../../world/problem.ts';
import type { Collection, World } from '../../world/world.ts';
import type { Members } from './form.ts';
import type { Resolved } from './references.ts';
import { refuseInvalid } from './refusal.ts';

/**
 * The rows of one entity, judged and made as if a world held only it and what it refers to: so a world that is loaded and an entity that is
 * written come to the same. Refuses what a world would be refused for.
 */
export function compileEntity(collection: Collection, alias: string, id: string, { members, around }: Resolved): WorldRows {
  const entity: Members = collection === 'telephoneNumbers' ? members : { ...members, id };
  const { rows, problems } = compileWorld({ world: 'state', ...around, [collection]: { [alias]: entity } } as World);
  if (problems === undefined) return rows;
  const prefix = toPointer([collection, alias]);
  return refuseInvalid(
    problems.map(({ pointer, reason }) => ({
      pointer: pointer.startsWith(prefix) ? pointer.slice(prefix.length) : pointer,
      message: reason,
    })),
  );
}
