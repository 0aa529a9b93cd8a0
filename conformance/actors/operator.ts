import { RULE_BY_EVENT_TYPE } from '../../src/expect/rule-names.ts';
import type { Capability, EntityActions, Need, OperatorCapabilities } from '../target/capabilities.ts';
import type { Cleanup, CreatedEntity } from '../target/cleanup.ts';
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

export function createOperatorActions(need: Need, ledger: Ledger, cleanup: Cleanup): OperatorActions {
  const entities = new Map<string, CreatedEntity>();
  const nameEntity = (id: unknown, capability: OperatorCapability) => `${id} of ${capability}`;

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
        else if (!entities.has(nameEntity(args[0], 'platform.accounts'))) {
          const name = nameEntity(id, capability);
          entities.set(
            name,
            cleanup.add(name, () => creator.remove(id)),
          );
        }
        return id;
      },
      async remove(id) {
        await creator.remove(id);
        ledger.markDeleted(id);
        entities.get(nameEntity(id, capability))?.forget();
        entities.delete(nameEntity(id, capability));
      },
    };
    return tracking as OperatorCapabilities[P];
  }

  return async (capability, ...otherCapabilities) =>
    trackCreations(capability, (await need(capability, 'write', ...otherCapabilities)) as OperatorCapabilities[typeof capability]);
}

type CapabilityChecker = { readonly has: (capability: Capability) => boolean };

export const listUserCapabilities = ({ has }: CapabilityChecker) => (['platform.users', 'portal.users'] as const).filter(has);
/** If the target has none, the one that it lacks. */
export const selectUserCapability = (checker: CapabilityChecker) => listUserCapabilities(checker)[0] ?? 'platform.users';

export const USER_EVENT_RULES = {
  'platform.users': { created: RULE_BY_EVENT_TYPE['provisioning.user.created'], deleted: RULE_BY_EVENT_TYPE['provisioning.user.deleted'] },
  'portal.users': { created: 'events.provisioning.created.on-portal-create', deleted: 'events.provisioning.deleted.on-portal-delete' },
} as const;
