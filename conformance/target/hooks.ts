import type { NewAssignment, NewSubscription, Pair } from './capabilities-of-events.ts';

/** What each hook is asked and answers: a request body and a response body, or the argument and the result of a function. */
interface HookTypes {
  /** Makes the next request of the operation, and no other, fail with the status. */
  'fault.users': { asked: { operation: 'getUsers' | 'getUser'; status: 429 | 500 | 503 }; answer: unknown };
  'platform.users.create': { asked: { accountId: string; firstName?: string; lastName?: string }; answer: { userId: string } };
  'platform.users.rename': { asked: { userId: string; firstName: string }; answer: unknown };
  /** Also called for users that a check left. */
  'platform.users.remove': { asked: { userId: string }; answer: unknown };
  /** A telephone number of the account without assignments, never the same one twice. */
  numbers: { asked: { accountId: string }; answer: { telephoneNumber: string } };
  /** The number is no longer needed. */
  'numbers.release': { asked: { telephoneNumber: string }; answer: unknown };
  /** A user of the account without assignments, never the same one twice. */
  users: { asked: { accountId: string }; answer: { userId: string } };
  'users.release': { asked: { userId: string }; answer: unknown };
  /** An Experience without a connection to either account, and not one of the last two. */
  'experiences.unconnected': { asked: Readonly<Record<string, never>>; answer: { experienceId: string } };
  'experiences.unconnected.release': { asked: { experienceId: string }; answer: unknown };
  /** Subscribes to the events of all Experiences of the provider, or of one. */
  'subscriptions.create': { asked: NewSubscription; answer: { subscriptionId: string } };
  'subscriptions.remove': { asked: { subscriptionId: string }; answer: unknown };
  'portal.connections.create': { asked: Pair & { state: 'ACTIVE' | 'INACTIVE' }; answer: { connectionId: string } };
  'portal.connections.update': { asked: { connectionId: string; state: 'ACTIVE' | 'INACTIVE' }; answer: unknown };
  'portal.connections.remove': { asked: { connectionId: string }; answer: unknown };
  'portal.assignments.create': { asked: NewAssignment; answer: { assignmentId: string } };
  'portal.assignments.remove': { asked: { assignmentId: string }; answer: unknown };
  'portal.users.create': { asked: { accountId: string }; answer: { userId: string } };
  'portal.users.remove': { asked: { userId: string }; answer: unknown };
  'platform.connections.create': { asked: Pair & { state: 'ACTIVE' | 'INACTIVE' }; answer: { connectionId: string } };
  'platform.connections.update': { asked: { connectionId: string; state: 'ACTIVE' | 'INACTIVE' }; answer: unknown };
  'platform.connections.remove': { asked: { connectionId: string }; answer: unknown };
  'platform.assignments.create': { asked: NewAssignment; answer: { assignmentId: string } };
  'platform.assignments.remove': { asked: { assignmentId: string }; answer: unknown };
  /** An account that the identity of tokens.full may manage, with nothing in it. */
  'platform.accounts.create': { asked: Readonly<Record<string, never>>; answer: { accountId: string } };
  /** With everything in it. */
  'platform.accounts.remove': { asked: { accountId: string }; answer: unknown };
  'platform.numbers.create': { asked: { accountId: string }; answer: { telephoneNumber: string } };
  'platform.numbers.remove': { asked: { telephoneNumber: string }; answer: unknown };
  /** A token as tokens.full, but expired. */
  'token.expired': { asked: Readonly<Record<string, never>>; answer: { accessToken: string } };
}

export type HookName = keyof HookTypes;
export type Asked<H extends HookName> = HookTypes[H]['asked'];
export type HookAnswer<H extends HookName> = HookTypes[H]['answer'];

/**
 * A module of hooks: what only an operator can do at a target. A function has the name of its hook, or that name in camel case such as
 * `faultUsers`. It is a named export, or a member of the default export. If it throws, the check ends with an error and not as failed.
 */
export type Hooks = {
  readonly [H in HookName as H | CamelCase<H>]?: (asked: Asked<H>) => HookAnswer<H> | Promise<HookAnswer<H>>;
};

/** Hooks of this process, by name. A hook that has to answer something returns the value alone. */
export type HookFunctions = {
  readonly [H in HookName]?: (asked: Asked<H>) => Promise<HookAnswer<H> extends Record<string, string> ? string : unknown>;
};

type CamelCase<Name extends string> = Name extends `${infer First}.${infer Rest}` ? `${First}${Capitalize<CamelCase<Rest>>}` : Name;

/** Every hook, and the member that its answer must have: a string that is not empty. */
export const HOOKS: { readonly [H in HookName]: HookAnswer<H> extends Record<infer Member, string> ? Member : undefined } = {
  'fault.users': undefined,
  'platform.users.create': 'userId',
  'platform.users.rename': undefined,
  'platform.users.remove': undefined,
  numbers: 'telephoneNumber',
  'numbers.release': undefined,
  users: 'userId',
  'users.release': undefined,
  'experiences.unconnected': 'experienceId',
  'experiences.unconnected.release': undefined,
  'subscriptions.create': 'subscriptionId',
  'subscriptions.remove': undefined,
  'portal.connections.create': 'connectionId',
  'portal.connections.update': undefined,
  'portal.connections.remove': undefined,
  'portal.assignments.create': 'assignmentId',
  'portal.assignments.remove': undefined,
  'portal.users.create': 'userId',
  'portal.users.remove': undefined,
  'platform.connections.create': 'connectionId',
  'platform.connections.update': undefined,
  'platform.connections.remove': undefined,
  'platform.assignments.create': 'assignmentId',
  'platform.assignments.remove': undefined,
  'platform.accounts.create': 'accountId',
  'platform.accounts.remove': undefined,
  'platform.numbers.create': 'telephoneNumber',
  'platform.numbers.remove': undefined,
  'token.expired': 'accessToken',
};

/** The names under which a module may export the hook. */
export function functionNames(hook: HookName): readonly string[] {
  const camel = hook.replace(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());
  return camel === hook ? [hook] : [hook, camel];
}

/** Where the hooks of a target are: in a module, or at addresses. */
export interface HookSettings {
  /** `shown`: its path as the profile has it. */
  readonly module?: { readonly url: string; readonly shown: string; readonly hooks: readonly HookName[] } | undefined;
  readonly urls: Readonly<Partial<Record<HookName, string>>>;
  /** Sent to the addresses. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A hook failed. The message says which one, where it is, and what was expected. */
export class HookError extends Error {
  override readonly name = 'HookError';
}
