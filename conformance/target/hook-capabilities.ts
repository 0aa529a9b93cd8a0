import type { Providers } from './arrangement.ts';
import type { AssignmentsElsewhere, ConnectionsElsewhere } from './capabilities-of-events.ts';
import type { Cleanup } from './cleanup.ts';
import type { HookCalls } from './hook-calls.ts';
import { type Asked, HOOKS } from './hooks.ts';
import { UNKNOWN_TARGETS } from './sample-values.ts';

/** Hooks that hand something out, and those that are told when it is not needed any more. */
const RELEASES = {
  numbers: 'numbers.release',
  users: 'users.release',
  'experiences.unconnected': 'experiences.unconnected.release',
} as const;

/** What hooks give. What they hand out is released at the end; what they create for a check is removed by the check. */
export function hookCapabilities(hooks: HookCalls, cleanup: Cleanup): Providers {
  const tell = async (...call: Parameters<HookCalls['ask']>): Promise<void> => void (await hooks.ask(...call));

  async function take<H extends keyof typeof RELEASES>(hook: H, asked: Asked<H>): Promise<string> {
    const release = RELEASES[hook];
    const ask = () => hooks.ask(hook, asked);
    if (!hooks.has(release)) return ask();
    const giveBack = (value: string) => tell(release, { [HOOKS[hook]]: value } as Asked<typeof release>);
    return cleanup.create(ask, giveBack, (value) => `${value}, which the hook ${hook} gave`);
  }
  const connections = (place: 'portal' | 'platform'): ConnectionsElsewhere => ({
    create: (pair, state = 'INACTIVE') => hooks.ask(`${place}.connections.create`, { ...pair, state }),
    update: (connectionId, state) => tell(`${place}.connections.update`, { connectionId, state }),
    remove: (connectionId) => tell(`${place}.connections.remove`, { connectionId }),
  });
  const assignments = (place: 'portal' | 'platform'): AssignmentsElsewhere => ({
    create: (assignment) => hooks.ask(`${place}.assignments.create`, assignment),
    remove: (assignmentId) => tell(`${place}.assignments.remove`, { assignmentId }),
  });

  return {
    ...(hooks.has('token.expired') && { 'token.expired': () => hooks.ask('token.expired', {}) }),
    ...(hooks.has('fault.users') && { 'fault.users': () => (operation, status) => tell('fault.users', { operation, status }) }),
    ...(hooks.has('numbers') && {
      numbers: async ({ need }) => {
        const accountId = await need('account');
        return () => take('numbers', { accountId });
      },
      'number.any': anyOf('numbers', UNKNOWN_TARGETS.PHONE_NUMBER),
    }),
    ...(hooks.has('users') && {
      users: async ({ need }) => {
        const accountId = await need('account');
        return () => take('users', { accountId });
      },
      'user.any': anyOf('users', UNKNOWN_TARGETS.USER),
    }),
    ...(hooks.has('experiences.unconnected') && { 'experiences.unconnected': () => () => take('experiences.unconnected', {}) }),
    ...(hooks.has('platform.users.create') && {
      'platform.users': () => ({
        create: (accountId, names = {}) => hooks.ask('platform.users.create', { accountId, ...names }),
        rename: (userId, firstName) => tell('platform.users.rename', { userId, firstName }),
        remove: (userId) => tell('platform.users.remove', { userId }),
      }),
    }),
    ...(hooks.has('portal.users.create') && {
      'portal.users': () => ({
        create: (accountId) => hooks.ask('portal.users.create', { accountId }),
        remove: (userId) => tell('portal.users.remove', { userId }),
      }),
    }),
    ...(hooks.has('portal.connections.create') && { 'portal.connections': () => connections('portal') }),
    ...(hooks.has('platform.connections.create') && { 'platform.connections': () => connections('platform') }),
    ...(hooks.has('portal.assignments.create') && { 'portal.assignments': () => assignments('portal') }),
    ...(hooks.has('platform.assignments.create') && { 'platform.assignments': () => assignments('platform') }),
    ...(hooks.has('platform.accounts.create') && {
      'platform.accounts': () => ({
        create: () => hooks.ask('platform.accounts.create', {}),
        remove: (accountId) => tell('platform.accounts.remove', { accountId }),
      }),
    }),
    ...(hooks.has('platform.numbers.create') && {
      'platform.numbers': () => ({
        create: (accountId) => hooks.ask('platform.numbers.create', { accountId }),
        remove: (telephoneNumber) => tell('platform.numbers.remove', { telephoneNumber }),
      }),
    }),
    ...(hooks.has('subscriptions.create') && {
      subscriptions: () => ({
        create: (subscription) => hooks.ask('subscriptions.create', subscription),
        remove: (subscriptionId) => tell('subscriptions.remove', { subscriptionId }),
      }),
    }),
  };
}

/** One that the hook gives or, if there is no account, one that does not exist. */
function anyOf(capability: 'numbers' | 'users', unknown: () => string): NonNullable<Providers['number.any']> {
  return async ({ need, has }) => (has('account') ? (await need(capability))() : unknown());
}
