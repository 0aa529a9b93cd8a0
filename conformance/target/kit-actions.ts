import type { Providers } from './arrangement.ts';
import type { Capabilities, ConnectionActions } from './capabilities.ts';
import type { ChangeOrigin, Control } from './control.ts';
import { ignoreNotFound, type KitOptions, type KitWorld } from './kit-world.ts';

/** Checks must remove the entities that they create with these actions. */
export function createKitActions(
  world: KitWorld,
  hasStrictDestinations: boolean,
  { control, cleanup, disposable, canReceive }: KitOptions,
): Providers {
  const createAndGetId = async (...args: Parameters<Control['create']>) => (await control.create(...args)).id;
  // A cleanup repeats a removal whose answer was lost.
  const remove = (collection: Parameters<Control['remove']>[0], origin?: ChangeOrigin) => (id: string) =>
    ignoreNotFound(() => control.remove(collection, id, origin));
  const createUserActions = (origin?: ChangeOrigin) => ({
    create: (accountId: string, names = {}) => createAndGetId('users', { account: accountId, ...names }, origin),
    remove: remove('users', origin),
  });
  const createConnectionActions = (origin: ChangeOrigin): ConnectionActions => ({
    create: ({ accountId, experienceId }, state = 'INACTIVE') =>
      createAndGetId('connections', { account: accountId, experience: experienceId, state }, origin),
    update: (connectionId, state) => control.change('connections', connectionId, { state }, origin),
    remove: remove('connections', origin),
  });
  const createAssignmentActions = (origin: ChangeOrigin): Capabilities['portal.assignments'] => ({
    create: ({ experienceId, targetType, targetValue }) =>
      createAndGetId('assignments', { experience: experienceId, targetType, target: targetValue }, origin),
    remove: remove('assignments', origin),
  });
  async function addFault(fault: Parameters<Control['fault']>[0]): Promise<() => Promise<unknown>> {
    const id = await control.fault(fault);
    const cancel = () => ignoreNotFound(() => control.removeFault(id));
    // If the run is interrupted, remove the fault, because it would affect another user's request.
    if (!disposable) cleanup.add(id, cancel);
    return cancel;
  }

  return {
    numbers: async () => world.numberOf(await world.account()),
    users: async () => {
      const accountId = await world.account();
      return () => world.user(accountId);
    },
    'experiences.unconnected': () => world.newExperience,
    'fault.users': () => (operation, status, match) => addFault({ fault: 'problem', status, operation, match, times: 1 }),
    'fault.authorization': () => (operation, match) => addFault({ fault: 'authorization-service-down', operation, match, times: 1 }),
    'platform.users': () => ({ ...createUserActions(), rename: (userId, firstName) => control.change('users', userId, { firstName }) }),
    'platform.connections': () => createConnectionActions('platform'),
    'platform.assignments': () => createAssignmentActions('platform'),
    'platform.accounts': () => ({
      async create() {
        const id = await createAndGetId('accounts', { name: 'Another suite account' });
        await control.change('principals', await world.manager(), { accounts: { [id]: 'manage' } });
        return id;
      },
      remove: remove('accounts'),
    }),
    'platform.numbers': () => ({
      async create(accountId) {
        const telephoneNumber = world.newNumber();
        await createAndGetId('telephoneNumbers', { alias: telephoneNumber, account: accountId });
        return telephoneNumber;
      },
      remove: remove('telephoneNumbers'),
    }),
    'portal.users': () => createUserActions('portal'),
    'portal.connections': () => createConnectionActions('portal'),
    'portal.assignments': () => createAssignmentActions('portal'),
    // A kit with strict destinations does not deliver to this machine.
    ...(canReceive &&
      !hasStrictDestinations && {
        subscriptions: () => ({
          create: async ({ experienceId, ...subscription }) =>
            createAndGetId('subscriptions', {
              ...subscription,
              provider: await world.provider(),
              ...(experienceId && { experience: experienceId }),
            }),
          remove: remove('subscriptions'),
        }),
      }),
  };
}
