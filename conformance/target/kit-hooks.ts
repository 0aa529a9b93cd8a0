import type { NewAssignment, Pair } from './capabilities-of-events.ts';
import type { KitInfo, Place } from './control.ts';
import type { HookFunctions } from './hooks.ts';
import { ifPresent, type KitOptions, type KitWorld } from './kit-world.ts';

/** The hooks of a kit: its control API does what an operator, the portal and the platform do elsewhere. */
export function kitHooks(world: KitWorld, { settings }: KitInfo, { control, cleanup, disposable, canReceive }: KitOptions): HookFunctions {
  // What these create is removed by the hooks that remove or release it.
  const create = async (...args: Parameters<typeof control.create>) => (await control.create(...args)).id;
  const createUser =
    (as?: Place) =>
    ({ accountId, ...names }: { readonly accountId: string }) =>
      create('users', { account: accountId, ...names }, as);
  const createNumber = async ({ accountId }: { readonly accountId: string }) => {
    const telephoneNumber = world.newNumber();
    await create('telephoneNumbers', { alias: telephoneNumber, account: accountId });
    return telephoneNumber;
  };
  const connect =
    (as: Place) =>
    ({ accountId, experienceId, state }: Pair & { readonly state: string }) =>
      create('connections', { account: accountId, experience: experienceId, state }, as);
  const setState =
    (as: Place) =>
    ({ connectionId, state }: { readonly connectionId: string; readonly state: string }) =>
      control.change('connections', connectionId, { state }, as);
  const assign =
    (as: Place) =>
    ({ experienceId, targetType, targetValue }: NewAssignment) =>
      create('assignments', { experience: experienceId, targetType, target: targetValue }, as);
  let experiences = 0;

  return {
    async 'fault.users'({ operation, status }) {
      const fault = status === 503 ? ({ fault: 'authorization-service-down' } as const) : ({ fault: 'problem', status } as const);
      const id = await control.fault({ ...fault, operation, times: 1 });
      // If the run is interrupted before a request meets it, it would fail somebody else's.
      if (!disposable) cleanup.add(id, () => ifPresent(() => control.removeFault(id)));
    },
    numbers: createNumber,
    users: createUser(),
    'experiences.unconnected': async () =>
      create('experiences', { alias: world.aliasOf(`unconnected-${experiences++}`), provider: await world.provider(), name: 'Suite' }),
    ...(!disposable && {
      'numbers.release': ({ telephoneNumber }) => ifPresent(() => control.remove('telephoneNumbers', telephoneNumber)),
      'users.release': ({ userId }) => ifPresent(() => control.remove('users', userId)),
      'experiences.unconnected.release': ({ experienceId }) => ifPresent(() => control.remove('experiences', experienceId)),
    }),
    'platform.users.create': createUser(),
    'platform.users.rename': ({ userId, firstName }) => control.change('users', userId, { firstName }),
    'platform.users.remove': ({ userId }) => control.remove('users', userId),
    'portal.users.create': createUser('portal'),
    'portal.users.remove': ({ userId }) => control.remove('users', userId, 'portal'),
    'portal.connections.create': connect('portal'),
    'portal.connections.update': setState('portal'),
    'portal.connections.remove': ({ connectionId }) => control.remove('connections', connectionId, 'portal'),
    'platform.connections.create': connect('platform'),
    'platform.connections.update': setState('platform'),
    'platform.connections.remove': ({ connectionId }) => control.remove('connections', connectionId, 'platform'),
    'portal.assignments.create': assign('portal'),
    'portal.assignments.remove': ({ assignmentId }) => control.remove('assignments', assignmentId, 'portal'),
    'platform.assignments.create': assign('platform'),
    'platform.assignments.remove': ({ assignmentId }) => control.remove('assignments', assignmentId, 'platform'),
    async 'platform.accounts.create'() {
      const id = await create('accounts', { name: 'Another suite account' });
      await control.change('principals', await world.manager(), { accounts: { [id]: 'manage' } });
      return id;
    },
    'platform.accounts.remove': ({ accountId }) => control.remove('accounts', accountId),
    'platform.numbers.create': createNumber,
    'platform.numbers.remove': ({ telephoneNumber }) => control.remove('telephoneNumbers', telephoneNumber),
    // In strict mode a kit delivers nothing to this machine.
    ...(canReceive &&
      settings.destinations !== 'strict' && {
        'subscriptions.create': async ({ experienceId, ...subscription }) =>
          create('subscriptions', { ...subscription, provider: await world.provider(), ...(experienceId && { experience: experienceId }) }),
        'subscriptions.remove': ({ subscriptionId }) => control.remove('subscriptions', subscriptionId),
      }),
  };
}
