import type { Evidence, LevelName, Levels, Named } from '../contract/evidence.ts';
import { type AccessLevel, type Actor, accountLevel, experienceLevel, MANAGE, READ } from '../domain/access.ts';

/** A side of an access: what was found, and the grant on it (null for none). */
interface Side {
  readonly id: string;
  readonly level: number | null;
}

/** Both sides of an access in words. A side that is not given, or that nobody was asked about, is left out. */
export function levelsOf(actor: Actor, { experience, account }: { readonly experience?: Side; readonly account?: Side }): Levels {
  const provider = experience && experienceLevel(actor, experience.level);
  const principal = account && accountLevel(actor, account.level);
  const claimless = actor.kind === 'provider' && actor.caller.principalId === undefined;
  return {
    ...(experience && { experienceId: experience.id, providerLevel: nameOf(provider as AccessLevel) }),
    ...(account && { accountId: account.id, ...(!claimless && { principalLevel: nameOf(principal as AccessLevel) }) }),
    effectiveLevel: nameOf(Math.min(provider ?? MANAGE, principal ?? MANAGE) as AccessLevel),
  };
}

/** That a level was too low for what was asked. @param of what the levels gave access to. */
export function tooLow(
  actor: Actor,
  needed: 'read' | 'manage',
  sides: Parameters<typeof levelsOf>[1],
  of?: { readonly what: Named; readonly id: string },
): Extract<Evidence, { cause: 'levels' }> {
  return { cause: 'levels', needed, ...(of && { of: of.what, id: of.id }), ...levelsOf(actor, sides) };
}

export const unknown = (what: Named, value: string): Extract<Evidence, { cause: 'unknown' }> => ({ cause: 'unknown', what, value });

function nameOf(level: AccessLevel): LevelName {
  return level === MANAGE ? 'manage' : level === READ ? 'read' : 'none';
}
