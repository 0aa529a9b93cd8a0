import type { Evidence } from '../../contract/evidence.ts';
import { type Actor, experienceLevel, NONE } from '../../domain/access.ts';
import { connectionsInSightOrNot } from '../../store/unseen.ts';
import type { ServiceContext } from '../context.ts';
import { levelsOf } from '../judged.ts';
import { providerOf } from '../target.ts';

/** More of what is out of sight says nothing new. */
const SHOWN = 5;

/** Why a list of the connections of an account in sight holds nothing. */
export async function whyNoConnections(
  { store }: ServiceContext,
  actor: Actor,
  { accountId, experienceId, cursor }: { accountId: string; experienceId: string | undefined; cursor: string | undefined },
): Promise<Evidence> {
  if (cursor !== undefined) return { cause: 'cursor', problem: 'at the end' };
  const all = await connectionsInSightOrNot(store.db, accountId, providerOf(actor));
  const matching = all.filter((row) => experienceId === undefined || row.experience_id === experienceId);
  const hidden = matching
    .filter((row) => experienceLevel(actor, row.experience_level) === NONE)
    .slice(0, SHOWN)
    .map((row) => levelsOf(actor, { experience: { id: row.experience_id, level: row.experience_level } }));
  return { cause: 'empty list', of: 'connections', accountId, total: all.length, matching: matching.length, hidden };
}
