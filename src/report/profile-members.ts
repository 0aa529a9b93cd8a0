/** The member of a target profile, or the hook, that gives each capability. */
export const PROFILE_MEMBERS = {
  token: 'tokens.full',
  'token.reader': 'tokens.reader',
  'token.outsider': 'tokens.outsider',
  'token.second-credential': 'tokens.secondCredential',
  'token.without-scope': 'tokens.withoutScope',
  'token.without-claim': 'tokens.withoutClaim',
  'token.without-claim-and-scope': 'tokens.withoutClaimAndScope',
  'token.expired': 'tokens.expired, or the hook token.expired,',
  write: 'allow.write',
  rate: 'allow.rate',
  account: 'accounts.main',
  'account.any': 'accounts.main',
  'account.second': 'accounts.second',
  'account.hidden': 'accounts.hidden',
  'account.many-users': 'accounts.manyUsers',
  'account.many-connections': 'accounts.manyConnections',
  experience: 'experiences.main',
  'experience.any': 'experiences.main',
  'experience.second': 'experiences.second',
  'experience.agent': 'experiences.agent',
  'experience.second-agent': 'experiences.secondAgent',
  'experience.read-only': 'experiences.readOnly',
  'experience.hidden': 'experiences.hidden',
  'experiences.unconnected': 'experiences.unconnected, or the hook experiences.unconnected,',
  numbers: 'freeNumbers, or the hook numbers,',
  'number.any': 'freeNumbers',
  'number.second-account': 'numberOfSecondAccount',
  users: 'freeUsers, or the hook users,',
  'user.any': 'freeUsers',
  'user.hidden': 'users.hidden',
  'user.base62': 'users.base62',
  'user.legacy-numeric': 'users.legacyNumeric',
  'user.ambiguous': 'users.ambiguous',
  'assignments.many': 'manyAssignments',
  'bodies.connectionCreate': 'bodies.connectionCreate',
  'bodies.connectionUpdate': 'bodies.connectionUpdate',
  'users.sort': 'users.sort',
  'users.read-model-bound': 'users.readModelBoundMs',
  'fault.users': 'the hook fault.users',
  'oauth.server': 'authorization.url',
  'oauth.secret-client': 'authorization.secretClient',
  'oauth.key-client': 'authorization.keyClient',
  'oauth.login-hint': 'authorization.loginHint',
  'oauth.approve': 'authorization.approve, for interactive with --interactive,',
  'oauth.deny': 'authorization.approve, interactive and with --interactive,',
  'platform.users': 'the hooks platform.users.create, .rename and .remove',
  'platform.connections': 'the hooks platform.connections.create, .update and .remove',
  'platform.assignments': 'the hooks platform.assignments.create and .remove',
  'platform.accounts': 'the hooks platform.accounts.create and .remove',
  'platform.numbers': 'the hooks platform.numbers.create and .remove',
  'portal.connections': 'the hooks portal.connections.create, .update and .remove',
  'portal.assignments': 'the hooks portal.assignments.create and .remove',
  'portal.users': 'the hooks portal.users.create and .remove',
  subscriptions: 'the hooks subscriptions.create and .remove, and events.receiver,',
  subscription: 'events.subscription, and events.receiver,',
  'events.patience': 'events.receiver',
  'events.repeats': 'events.repeatsWithinSeconds',
  'events.now': 'events.receiver',
  'events.sent-now': 'events.receiver',
  'events.tls': 'events.receiver.publicUrl, an https address,',
  'experience.facts': 'experiences.facts',
} as const;

/** The place of a capability in a profile; undefined if this version does not know the capability. */
export function profileMemberOf(capability: string): string | undefined {
  const members: Readonly<Record<string, string>> = PROFILE_MEMBERS;
  return Object.hasOwn(members, capability) ? `${members[capability]} of the profile` : undefined;
}

/** A capability and its place in a profile, such as `token.reader (tokens.reader of the profile)`. */
export function withProfileMember(capability: string): string {
  const member = profileMemberOf(capability);
  return member === undefined ? capability : `${capability} (${member})`;
}
