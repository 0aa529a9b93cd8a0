import { REQUIRING_RULES } from '../expect/event.ts';
import type { Capability, EntityActions, OutsideActions } from '../target/capabilities.ts';
import type { Cleanup, CreatedEntity } from '../target/cleanup.ts';
import type { Need } from '../target/need.ts';
import type { Ledger } from './ledger.ts';

type Place = keyof OutsideActions;

/**
 * Returns the actions of an operator or end user. Created entities are removed after the check.
 * @param capabilities what the check needs besides these actions
 */
export type OperatorActions = <P extends Place>(place: P, ...capabilities: readonly Capability[]) => Promise<OutsideActions[P]>;

type CreateAndRemove = EntityActions<never[]>;

interface TrackedEntity {
  readonly place: Place;
  readonly id: string;
  readonly created: CreatedEntity;
}

export function createOperatorActions(need: Need, ledger: Ledger, cleanup: Cleanup): OperatorActions {
  let entries: TrackedEntity[] = [];

  function trackCreations<P extends Place>(place: P, actions: OutsideActions[P]): OutsideActions[P] {
    const creator = actions as CreateAndRemove;
    const tracking: CreateAndRemove = {
      ...creator,
      async create(...args) {
        const id = await creator.create(...args);
        // Connections and assignments are deleted through the API.
        if (place.endsWith('.connections')) ledger.addConnection(id);
        else if (place.endsWith('.assignments')) ledger.addAssignment(id);
        // An account's users and numbers are deleted with the account, the first argument of their `create`.
        else if (!entries.some((entry) => entry.place === 'platform.accounts' && entry.id === args[0]))
          entries.push({ place, id, created: cleanup.add(`${id} of ${place}`, () => creator.remove(id)) });
        return id;
      },
      async remove(id) {
        await creator.remove(id);
        ledger.markDeleted(id);
        const isRemovedEntity = (entry: TrackedEntity) => entry.place === place && entry.id === id;
        for (const entry of entries) if (isRemovedEntity(entry)) entry.created.forget();
        entries = entries.filter((entry) => !isRemovedEntity(entry));
      },
    };
    return tracking as OutsideActions[P];
  }

  return async (place, ...capabilities) =>
    trackCreations(place, (await need(place, 'write', ...capabilities)) as OutsideActions[typeof place]);
}

type CapabilityChecker = { readonly has: (capability: Capability) => boolean };

/** Returns whether the target's platform or portal can create users. */
export function canCreateUsers({ has }: CapabilityChecker): boolean {
  return has('platform.users') || has('portal.users');
}

/** Returns the actions that create and delete users: the platform's, or else a portal's. */
export function getUserActions({
  has,
  operator,
}: CapabilityChecker & { readonly operator: OperatorActions }): Promise<EntityActions<[accountId: string]>> {
  return operator(selectUserPlace({ has }));
}

const selectUserPlace = ({ has }: CapabilityChecker) => (has('portal.users') && !has('platform.users') ? 'portal.users' : 'platform.users');

/** For each way to create users, the rules that require events about created and deleted users. */
export const USER_RULES = {
  'platform.users': { created: REQUIRING_RULES['provisioning.user.created'], deleted: REQUIRING_RULES['provisioning.user.deleted'] },
  'portal.users': { created: 'events.provisioning.created.on-portal-create', deleted: 'events.provisioning.deleted.on-portal-delete' },
} as const;

/** The rules that require events about changes made through `getUserActions`. */
export const selectUserRules = (checker: CapabilityChecker) => USER_RULES[selectUserPlace(checker)];
