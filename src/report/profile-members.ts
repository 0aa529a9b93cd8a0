/** The source of a capability in a profile. The source is a member, hooks, or a choice between a member and hooks. */
interface Source {
  readonly member?: string;
  /**
   * The actions of the hooks, such as `create` for `platform.users.create`. An empty string means that the hook has the same name as the
   * capability.
   */
  readonly hooks?: readonly string[];
  /** A further condition for the member, in the words of the reports. */
  readonly note?: string;
}

/** Members of a profile that are sufficient to test further rules. `rules` is the number of these rules. */
export interface Step {
  readonly rules: number;
  readonly members: readonly string[];
}

const CREATE_REMOVE = ['create', 'remove'];
const CONNECTIONS = ['create', 'update', 'remove'];

/** The sources of all capabilities that a profile can provide. A string is the name of a member. */
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
  'oauth.approve': { member: 'authorization.approve', note: 'for interactive with --interactive' },
  'oauth.deny': { member: 'authorization.approve', note: 'interactive and with --interactive' },
  'oauth.code-lifetime': 'authorization.codeLifetimeSeconds',
  'clock.wait': 'authorization.waitSeconds',
  'platform.users': { hooks: ['create', 'rename', 'remove'] },
  'platform.connections': { hooks: CONNECTIONS },
  'platform.assignments': { hooks: CREATE_REMOVE },
  'platform.accounts': { hooks: CREATE_REMOVE },
  'platform.numbers': { hooks: CREATE_REMOVE },
  'portal.connections': { hooks: CONNECTIONS },
  'portal.assignments': { hooks: CREATE_REMOVE },
  'portal.users': { hooks: CREATE_REMOVE },
  subscriptions: { hooks: CREATE_REMOVE, note: 'and events.receiver' },
  subscription: { member: 'events.subscription', note: 'and events.receiver' },
  'events.patience': 'events.receiver',
  'events.delivered-within': 'events.patienceSeconds',
  'events.repeats': 'events.repeatsWithinSeconds',
  'events.now': 'events.receiver',
  'events.sent-now': 'events.receiver',
  'events.tls': { member: 'events.receiver.publicUrl', note: 'an https address' },
} as const satisfies Readonly<Record<string, string | Source>>;

const sources: Readonly<Record<string, string | Source>> = PROFILE_SOURCES;

/** Whether a run lacks an option of its command, such as `--state-url`, and not a capability of the target. */
export function isOption(capability: string): boolean {
  return capability.startsWith('--');
}

/** Returns a description of the source of a capability in a profile. */
export function profileMemberOf(capability: string): string {
  // The state that a consumer shows may lack a member, as in: --state-url with users.
  if (isOption(capability)) return capability.includes(' with ') ? 'a member of the state' : 'an option of the command';
  if (!Object.hasOwn(sources, capability)) return 'no member of a profile gives it, only a kit that the run starts';
  const source = sources[capability]!;
  if (typeof source === 'string') return `${source} of the profile`;
  const { member, hooks, note } = source;
  const parts = [member, hooks && (member === undefined ? '' : 'or ') + hooksOf(capability, hooks), note].filter(
    (part) => part !== undefined,
  );
  return `${parts.join(', ')}${parts.length > 1 ? ',' : ''} of the profile`;
}

function hooksOf(capability: string, [first, ...rest]: readonly string[]): string {
  if (first === '') return `the hook ${capability}`;
  const others = rest.map((action) => `.${action}`);
  return `the hooks ${[`${capability}.${first}`, ...others.slice(0, -1)].join(', ')} and ${others.at(-1)}`;
}

/** Returns a capability with its source in a profile, such as `token.reader (tokens.reader of the profile)`. */
export function withProfileMember(capability: string): string {
  return isOption(capability) ? capability : `${capability} (${profileMemberOf(capability)})`;
}
