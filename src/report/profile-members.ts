interface CapabilitySource {
  readonly member?: string;
  /** The last parts of hook names, such as `create`. An empty string means the hook with the capability's name. */
  readonly hooks?: readonly string[];
  /** A condition that reports show next to the member. */
  readonly note?: string;
}

/** Profile members, and the number of rules that they would make testable. */
export interface ProfileStep {
  readonly rules: number;
  readonly members: readonly string[];
}

const CREATE_AND_REMOVE_HOOKS = ['create', 'remove'];
const CONNECTION_HOOKS = ['create', 'update', 'remove'];

/** For each capability, the profile's member or hooks that provide it. */
export const PROFILE_SOURCES = {
  token: 'tokens.full',
  'token.reader': 'tokens.reader',
  'token.outsider': 'tokens.outsider',
  'token.second-credential': 'tokens.secondCredential',
  'token.without-scope': 'tokens.withoutScope',
  'token.without-claim': 'tokens.withoutClaim',
  'token.without-claim-and-scope': 'tokens.withoutClaimAndScope',
  'token.expired': { member: 'tokens.expired', hooks: [''] },
  write: 'allow.write',
  rate: 'allow.rate',
  account: 'accounts.main',
  'account.second': 'accounts.second',
  'account.hidden': 'accounts.hidden',
  'account.many-users': 'accounts.manyUsers',
  'account.many-connections': 'accounts.manyConnections',
  experience: 'experiences.main',
  'experience.second': 'experiences.second',
  'experience.agent': 'experiences.agent',
  'experience.second-agent': 'experiences.secondAgent',
  'experience.read-only': 'experiences.readOnly',
  'experience.hidden': 'experiences.hidden',
  'experience.facts': { member: 'experiences.facts', note: 'or name and providerId from the hook experiences.unconnected' },
  'experiences.unconnected': { member: 'experiences.unconnected', hooks: [''] },
  numbers: { member: 'freeNumbers', hooks: [''] },
  'number.second-account': 'numberOfSecondAccount',
  users: { member: 'freeUsers', hooks: [''] },
  'user.hidden': 'users.hidden',
  'user.base62': 'users.base62',
  'user.legacy-numeric': 'users.legacyNumeric',
  'user.ambiguous': 'users.ambiguous',
  'users.sort': 'users.sort',
  'users.read-model-bound': 'users.readModelBoundMs',
  'lists.bound': 'listsBoundMs',
  'assignments.many': 'manyAssignments',
  'bodies.connectionCreate': 'bodies.connectionCreate',
  'bodies.connectionUpdate': 'bodies.connectionUpdate',
  'fault.users': { hooks: [''] },
  'fault.authorization': { hooks: [''] },
  'oauth.server': 'authorization.url',
  'oauth.secret-client': 'authorization.secretClient',
  'oauth.key-client': 'authorization.keyClient',
  'oauth.login-hint': 'authorization.loginHint',
  'oauth.approve': { member: 'authorization.approve', note: 'whose value interactive requires --interactive' },
  'oauth.deny': { member: 'authorization.approve', note: 'with the value interactive and the option --interactive' },
  'oauth.code-lifetime': 'authorization.codeLifetimeSeconds',
  'clock.wait': 'authorization.waitSeconds',
  'platform.users': { hooks: ['create', 'rename', 'remove'] },
  'platform.connections': { hooks: CONNECTION_HOOKS },
  'platform.assignments': { hooks: CREATE_AND_REMOVE_HOOKS },
  'platform.accounts': { hooks: CREATE_AND_REMOVE_HOOKS },
  'platform.numbers': { hooks: CREATE_AND_REMOVE_HOOKS },
  'portal.connections': { hooks: CONNECTION_HOOKS },
  'portal.assignments': { hooks: CREATE_AND_REMOVE_HOOKS },
  'portal.users': { hooks: CREATE_AND_REMOVE_HOOKS },
  subscriptions: { hooks: CREATE_AND_REMOVE_HOOKS, note: 'and events.receiver' },
  subscription: { member: 'events.subscription', note: 'and events.receiver' },
  'events.patience': 'events.receiver',
  'events.delivered-within': 'events.patienceSeconds',
  'events.repeats': 'events.repeatsWithinSeconds',
  'events.now': 'events.receiver',
  'events.sent-now': 'events.receiver',
  'events.tls': { member: 'events.receiver.publicUrl', note: 'an https address' },
} as const satisfies Readonly<Record<string, string | CapabilitySource>>;

const sourceByCapability: Readonly<Record<string, string | CapabilitySource>> = PROFILE_SOURCES;

/** Missing command options, such as `--state-url`, and members of the consumer's state, such as `state.users`, are listed as capabilities, too. */
export function isCommandOption(capability: string): boolean {
  return /^(--|state\.)/.test(capability);
}

export function describeProfileMember(capability: string): string {
  if (isCommandOption(capability)) return capability.startsWith('state.') ? "a member of the consumer's state" : 'a command option';
  if (!Object.hasOwn(sourceByCapability, capability)) return 'no profile member: available only if the run starts its own kit';
  const source = sourceByCapability[capability]!;
  if (typeof source === 'string') return `${source} in the profile`;
  const { member, hooks, note } = source;
  const parts = [member, hooks && (member === undefined ? '' : 'or ') + describeHooks(capability, hooks), note].filter(
    (part) => part !== undefined,
  );
  return `${parts.join(', ')}${parts.length > 1 ? ',' : ''} in the profile`;
}

function describeHooks(capability: string, [first, ...rest]: readonly string[]): string {
  if (first === '') return `the hook ${capability}`;
  const others = rest.map((action) => `.${action}`);
  return `the hooks ${[`${capability}.${first}`, ...others.slice(0, -1)].join(', ')} and ${others.at(-1)}`;
}

export function addProfileMember(capability: string): string {
  return isCommandOption(capability) ? capability : `${capability} (${describeProfileMember(capability)})`;
}
