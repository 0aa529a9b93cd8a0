import type { Profile } from '../../src/contract/generated/profile.ts';
import type { NewAssignment, NewSubscription, Pair } from './capabilities.ts';

type ProfileHooks = NonNullable<Profile['hooks']>;
export type HookName = keyof NonNullable<ProfileHooks['urls']>;

/** The request and the response of a hook. */
interface Hook {
  /** Creates the body of the request from the arguments of the action. */
  body(...args: never[]): object;
  /** The member of the response that the action returns. Its value must be a string that is not empty. */
  readonly returns?: string;
  /** Optional members of the response. The response contains all of them, as strings, or none. */
  readonly mayReturn?: readonly string[];
}

const connect = { body: (pair: Pair, state = 'INACTIVE') => ({ ...pair, state }), returns: 'connectionId' };
const setState = { body: (connectionId: string, state: string) => ({ connectionId, state }) };
const assign = { body: (assignment: NewAssignment) => assignment, returns: 'assignmentId' };
const inAccount = (returns: string): Hook => ({ body: (accountId: string, names = {}) => ({ accountId, ...names }), returns });
const withoutBody = (returns: string): Hook => ({ body: () => ({}), returns });
const ofId = (member: string): Hook => ({ body: (id: string) => ({ [member]: id }) });

export const HOOKS: Readonly<Record<HookName, Hook>> = {
  'fault.users': { body: (operation: string, status: number, parameters: object) => ({ operation, status, ...parameters }) },
  'fault.authorization': { body: (operation: string, parameters: object) => ({ operation, ...parameters }) },
  'token.expired': withoutBody('accessToken'),
  numbers: inAccount('telephoneNumber'),
  'numbers.release': ofId('telephoneNumber'),
  users: inAccount('userId'),
  'users.release': ofId('userId'),
  'experiences.unconnected': { ...withoutBody('experienceId'), mayReturn: ['name', 'providerId'] },
  'experiences.unconnected.release': ofId('experienceId'),
  'subscriptions.create': { body: (subscription: NewSubscription) => subscription, returns: 'subscriptionId' },
  'subscriptions.remove': ofId('subscriptionId'),
  'portal.connections.create': connect,
  'portal.connections.update': setState,
  'portal.connections.remove': ofId('connectionId'),
  'portal.assignments.create': assign,
  'portal.assignments.remove': ofId('assignmentId'),
  'portal.users.create': inAccount('userId'),
  'portal.users.remove': ofId('userId'),
  'platform.connections.create': connect,
  'platform.connections.update': setState,
  'platform.connections.remove': ofId('connectionId'),
  'platform.assignments.create': assign,
  'platform.assignments.remove': ofId('assignmentId'),
  'platform.users.create': inAccount('userId'),
  'platform.users.rename': { body: (userId: string, firstName: string) => ({ userId, firstName }) },
  'platform.users.remove': ofId('userId'),
  'platform.accounts.create': withoutBody('accountId'),
  'platform.accounts.remove': ofId('accountId'),
  'platform.numbers.create': inAccount('telephoneNumber'),
  'platform.numbers.remove': ofId('telephoneNumber'),
};

export const HOOK_NAMES = Object.keys(HOOKS) as HookName[];

/** The names under which a module may export a hook: the name of the hook, and that name in camel case, such as `faultUsers`. */
export function functionNames(hook: HookName): readonly string[] {
  const camel = hook.replace(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());
  return camel === hook ? [hook] : [hook, camel];
}

/** The hooks of a target, in a module or at URLs. */
export interface HookSettings {
  /** The module with hooks. `shown`: the path of the module as in the profile, for messages. */
  readonly module?: { readonly url: string; readonly shown: string; readonly hooks: readonly HookName[] } | undefined;
  readonly urls: NonNullable<ProfileHooks['urls']>;
  /** The headers of requests to the URLs. */
  readonly headers: NonNullable<ProfileHooks['headers']>;
}
