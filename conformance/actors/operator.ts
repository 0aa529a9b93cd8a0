import { RULE_BY_EVENT_TYPE } from '../../src/expect/rule-names.ts';
import type { Capability, EntityActions, OperatorCapabilities } from '../target/capabilities.ts';
import type { Cleanup, CreatedEntity } from '../target/cleanup.ts';
import type { Need } from '../target/need.ts';
import type { Ledger } from './ledger.ts';

type OperatorCapability = keyof OperatorCapabilities;

/**
 * Returns an operator's actions. Entities that the actions create are removed after the check.
 * @param capabilities other capabilities that the check needs
 */
export type OperatorActions = <P extends OperatorCapability>(
  capability: P,
  ...capabilities: readonly Capability[]
) => Promise<OperatorCapabilities[P]>;

type AnyEntityActions = EntityActions<never[]>;

interface TrackedEntity {
  readonly capability: OperatorCapability;
  readonly id: string;
  readonly created: CreatedEntity;
}

export function createOperatorActions(need: Need, ledger: Ledger, cleanup: Cleanup): OperatorActions {
  let entries: TrackedEntity[] = [];

  function trackCreations<P extends OperatorCapability>(capability: P, actions: OperatorCapabilities[P]): OperatorCapabilities[P] {
    const creator = actions as AnyEntityActions;
    const tracking: AnyEntityActions = {
      ...creator,
      async create(...args) {
        const id = await creator.create(...args);
        // Connections and assignments are deleted through the API.
        if (capability.endsWith('.connections')) ledger.addConnection(id);
        else if (capability.endsWith('.assignments')) ledger.addAssignment(id);
        // An account's users and numbers are deleted with the account, the first argument of their `create`.
        else if (!entries.some((entry) => entry.capability === 'platform.accounts' && entry.id === args[0]))
          entries.push({ capability, id, created: cleanup.add(`${id} of ${capability}`, () => creator.remove(id)) });
        return id;
      },
      async remove(id) {
        await creator.remove(id);
        ledger.markDeleted(id);
        const isRemovedEntity = (entry: TrackedEntity) => entry.capability === capability && entry.id === id;
        for (const entry of entries) if (isRemovedEntity(entry)) entry.created.forget();
        entries = entries.filter((entry) => !isRemovedEntity(entry));
      },
    };
    return tracking as OperatorCapabilities[P];
  }

  return async (capability, ...otherCapabilities) =>
    trackCreations(capability, (await need(capability, 'write', ...otherCapabilities)) as OperatorCapabilities[typeof capability]);
}

type CapabilityChecker = { readonly has: (capability: Capability) => boolean };

export function canCreateUsers({ has }: CapabilityChecker): boolean {
  return has('platform.users') || has('portal.users');
}

export function getUserActions({
  has,
  operator,
}: CapabilityChecker & { readonly operator: OperatorActions }): Promise<EntityActions<[accountId: string]>> {
  return operator(selectUserCapability({ has }));
}

const selectUserCapability = ({ has }: CapabilityChecker) =>
  has('portal.users') && !has('platform.users') ? 'portal.users' : 'platform.users';

export const USER_EVENT_RULES = {
  'platform.users': { created: RULE_BY_EVENT_TYPE['provisioning.user.created'], deleted: RULE_BY_EVENT_TYPE['provisioning.user.deleted'] },
  'portal.users': { created: 'events.provisioning.created.on-portal-create', deleted: 'events.provisioning.deleted.on-portal-delete' },
} as const;

export const selectUserEventRules = (checker: CapabilityChecker) => USER_EVENT_RULES[selectUserCapability(checker)];
