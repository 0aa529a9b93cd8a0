import type { Profile } from '../../src/contract/generated/profile.ts';
import type { NewAssignment, NewSubscription, Pair } from './capabilities.ts';

type ProfileHooks = NonNullable<Profile['hooks']>;
export type HookName = keyof NonNullable<ProfileHooks['urls']>;

interface Hook {
  body(...args: never[]): object;
  /** The response member that the action returns. This member must be a non-empty string. */
  readonly returns?: string;
  /** Optional string members of the response. A response contains all or none of them. */
  readonly mayReturn?: readonly string[];
}

const connectionHook = { body: (pair: Pair, state = 'INACTIVE') => ({ ...pair, state }), returns: 'connectionId' };
const setStateHook = { body: (connectionId: string, state: string) => ({ connectionId, state }) };
const assignmentHook = { body: (assignment: NewAssignment) => assignment, returns: 'assignmentId' };
const createAccountHook = (returns: string): Hook => ({ body: (accountId: string, names = {}) => ({ accountId, ...names }), returns });
const createHookWithoutBody = (returns: string): Hook => ({ body: () => ({}), returns });
const createIdHook = (member: string): Hook => ({ body: (id: string) => ({ [member]: id }) });

export const HOOKS: Readonly<Record<HookName, Hook>> = {
  'fault.users': { body: (operation: string, status: number, parameters: object) => ({ operation, status, ...parameters }) },
  'fault.authorization': { body: (operation: string, parameters: object) => ({ operation, ...parameters }) },
  'token.expired': createHookWithoutBody('accessToken'),
  numbers: createAccountHook('telephoneNumber'),
  'numbers.release': createIdHook('telephoneNumber'),
  users: createAccountHook('userId'),
  'users.release': createIdHook('userId'),
  'experiences.unconnected': { ...createHookWithoutBody('experienceId'), mayReturn: ['name', 'providerId'] },
  'experiences.unconnected.release': createIdHook('experienceId'),
  'subscriptions.create': { body: (subscription: NewSubscription) => subscription, returns: 'subscriptionId' },
  'subscriptions.remove': createIdHook('subscriptionId'),
  'portal.connections.create': connectionHook,
  'portal.connections.update': setStateHook,
  'portal.connections.remove': createIdHook('connectionId'),
  'portal.assignments.create': assignmentHook,
  'portal.assignments.remove': createIdHook('assignmentId'),
  'portal.users.create': createAccountHook('userId'),
  'portal.users.remove': createIdHook('userId'),
  'platform.connections.create': connectionHook,
  'platform.connections.update': setStateHook,
  'platform.connections.remove': createIdHook('connectionId'),
  'platform.assignments.create': assignmentHook,
  'platform.assignments.remove': createIdHook('assignmentId'),
  'platform.users.create': createAccountHook('userId'),
  'platform.users.rename': { body: (userId: string, firstName: string) => ({ userId, firstName }) },
  'platform.users.remove': createIdHook('userId'),
  'platform.accounts.create': createHookWithoutBody('accountId'),
  'platform.accounts.remove': createIdHook('accountId'),
  'platform.numbers.create': createAccountHook('telephoneNumber'),
  'platform.numbers.remove': createIdHook('telephoneNumber'),
};

export const HOOK_NAMES = Object.keys(HOOKS) as HookName[];

export function listFunctionNames(hook: HookName): readonly string[] {
  const camel = hook.replace(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());
  return camel === hook ? [hook] : [hook, camel];
}

export interface HookSettings {
  /** `shown` is the module's path in error messages. */
  readonly module?: { readonly url: string; readonly shown: string; readonly hooks: readonly HookName[] } | undefined;
  readonly urls: NonNullable<ProfileHooks['urls']>;
  readonly headers: NonNullable<ProfileHooks['headers']>;
}
