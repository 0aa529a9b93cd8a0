import { type Actor, principalOf } from '../domain/access.ts';
import type { Target } from '../domain/assignments.ts';
import { accountAccess, numberAccess } from '../store/accounts.ts';
import type { Executor } from '../store/engine.ts';
import { userAccess } from '../store/users.ts';

/** The actor's access to the account of a target: the account itself, the user's account or the number's account. Undefined if the target does not exist. */
export function findTarget(db: Executor, actor: Actor, { targetType, targetValue }: Target) {
  const principalId = principalOf(actor);
  switch (targetType) {
    case 'ACCOUNT':
      return accountAccess.first(db, { id: targetValue, principalId });
    case 'USER':
      return userAccess.first(db, { id: targetValue, principalId });
    case 'PHONE_NUMBER':
      return numberAccess.first(db, { number: targetValue, principalId });
  }
}
