import { sql } from 'kysely';
import { SINGULAR } from '../../world/world.ts';
import type { Known } from './references.ts';
import { refuse } from './refusal.ts';
import type { Scope } from './row-writes.ts';

type Referring = 'experiences' | 'clients' | 'assignments' | 'connections' | 'subscriptions';
/** As many as are named. */
const NAMED = 3;

/** Refuses to delete what others refer to, and names them. */
export async function refuseReferred<C extends 'providers' | 'experiences'>(
  { tx }: Scope,
  collection: C,
  { alias, id }: Known<C>,
  referring: readonly Referring[],
): Promise<void> {
  const column = `${SINGULAR[collection]}_id`;
  const found: string[] = [];
  for (const other of referring) {
    const { rows } = await sql<{ alias: string }>`
      select alias from ${sql.table(other)} where ${sql.ref(column)} = ${id} order by alias limit ${NAMED + 1}`.execute(tx);
    if (rows.length > 0)
      found.push(
        `the ${other} ${rows
          .slice(0, NAMED)
          .map((row) => `"${row.alias}"`)
          .join(', ')}${rows.length > NAMED ? ', …' : ''}`,
      );
  }
  if (found.length === 0) return;
  refuse(
    'conflict',
    `The ${SINGULAR[collection]} "${alias}" is still referred to by ${found.join(' and ')}. Delete what refers to it first.`,
  );
}
