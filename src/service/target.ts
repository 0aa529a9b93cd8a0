import { type AccessLevel, type Actor, accountLevel } from '../domain/access.ts';
import { accountAccess, numberAccess, userAccess } from '../store/access.ts';
import type { Executor } from '../store/engine.ts';
import type { TargetType } from '../store/schema.ts';

/** A target that exists: the account that owns it, and what the actor may do with that account. */
export interface KnownTarget {
  readonly accountId: string;
  readonly level: AccessLevel;
}

/** Finds what a target names: ACCOUNT → itself, USER → its account, PHONE_NUMBER → the number's account. */
export async function findTarget(
  db: Executor,
  actor: Actor,
  targetType: TargetType,
  targetValue: string,
): Promise<KnownTarget | undefined> {
  const principalId = principalOf(actor);
  const row =
    targetType === 'PHONE_NUMBER'
      ? await numberAccess.first(db, { number: targetValue, principalId })
      : targetType === 'USER'
        ? await userAccess.first(db, { id: targetValue, principalId })
        : await accountAccess.first(db, { id: targetValue, principalId });
  return row && { accountId: row.account_id, level: accountLevel(actor, row.level) };
}

/** The provider whose grants count; '' where nobody's do. */
export function providerOf(actor: Actor): string {
  return actor.kind === 'provider' ? actor.caller.providerId : '';
}

/** The principal whose grants count; '' where nobody's do. */
export function principalOf(actor: Actor): string {
  return (actor.kind === 'provider' && actor.caller.principalId) || '';
}
