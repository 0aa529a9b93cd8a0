import { randomUUID } from 'node:crypto';
import { type Arrangement, createArrangement, type Providers } from './arrangement.ts';
import type { Capabilities, Capability, Scope } from './capabilities.ts';
import type { Cleanup } from './cleanup.ts';
import type { HookCalls } from './hook-calls.ts';
import { hookEvents } from './hook-events.ts';
import { hookProviders } from './hook-providers.ts';
import { notTestable } from './not-testable.ts';
import type { ProfileResources } from './profile.ts';
import { profileAuthorization } from './profile-authorization.ts';
import { profileEvents } from './profile-events.ts';
import { UNKNOWN_TARGETS } from './sample-values.ts';

/**
 * What a profile and its hooks give, and nothing else: the rest is not testable. Where both give something, the hook does.
 * @param isWatched whether a person is there to be asked.
 */
export function profileArrangement(profile: ProfileResources, cleanup: Cleanup, hooks?: HookCalls, isWatched = false): Arrangement {
  const { tokens = {}, allow = {}, accounts = {}, experiences = {}, users = {}, bodies = {} } = profile;
  const given: { readonly [C in Capability]?: Capabilities[C] | undefined } = {
    token: tokens.full,
    'token.reader': tokens.reader,
    'token.outsider': tokens.outsider,
    'token.second-credential': tokens.secondCredential,
    'token.without-scope': isComplete(tokens.withoutScope) ? tokens.withoutScope : undefined,
    'token.without-claim': tokens.withoutClaim,
    'token.without-claim-and-scope': tokens.withoutClaimAndScope,
    'token.expired': tokens.expired,
    write: allow.write || undefined,
    rate: allow.rate || undefined,
    account: accounts.main,
    'account.any': accounts.main ?? randomUUID(),
    'experience.any': experiences.main ?? randomUUID(),
    'number.any': profile.freeNumbers?.[0] ?? UNKNOWN_TARGETS.PHONE_NUMBER(),
    'user.any': profile.freeUsers?.[0] ?? randomUUID(),
    'account.second': accounts.second,
    'account.hidden': accounts.hidden,
    'account.many-users': accounts.manyUsers,
    'account.many-connections': accounts.manyConnections,
    experience: experiences.main,
    'experience.second': experiences.second,
    'experience.agent': experiences.agent,
    'experience.second-agent': experiences.secondAgent,
    'experience.read-only': experiences.readOnly,
    'experience.hidden': experiences.hidden,
    'experiences.unconnected': taker(experiences.unconnected, 'experiences.unconnected'),
    numbers: taker(profile.freeNumbers, 'freeNumbers'),
    'number.second-account': profile.numberOfSecondAccount,
    users: taker(profile.freeUsers, 'freeUsers'),
    'user.hidden': users.hidden,
    'user.base62': users.base62,
    'user.legacy-numeric': users.legacyNumeric,
    'user.ambiguous': users.ambiguous,
    'assignments.many': profile.manyAssignments,
    'bodies.connectionCreate': bodies.connectionCreate,
    'bodies.connectionUpdate': bodies.connectionUpdate,
    'users.sort': users.sort,
    'users.read-model-bound': users.readModelBoundMs,
    'experience.facts': experiences.facts && factsOf(experiences.facts),
    ...profileAuthorization(profile.authorization, isWatched),
    ...profileEvents(profile.events),
  };
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  const providers = Object.fromEntries(entries.map(([capability, value]) => [capability, () => value])) as Providers;
  if (hooks === undefined) return createArrangement(providers);
  return createArrangement({ ...providers, ...hookProviders(hooks, cleanup), ...hookEvents(hooks) });
}

function factsOf(facts: NonNullable<NonNullable<ProfileResources['experiences']>['facts']>): Capabilities['experience.facts'] {
  return async (experienceId) => {
    const found = Object.entries(facts).find(([id]) => id.toLowerCase() === experienceId.toLowerCase());
    return found === undefined ? notTestable('experience.facts') : found[1];
  };
}

const SCOPES: Readonly<Record<Scope, true>> = {
  'experience-assignability:check': true,
  'experience-assignments:manage': true,
  'experience-connections:manage': true,
  'users:manage': true,
};

function isComplete(tokens: Partial<Record<Scope, string>> | undefined): tokens is Record<Scope, string> {
  return tokens !== undefined && Object.keys(SCOPES).every((scope) => scope in tokens);
}

/** Hands out each once; then from the start again, as every check leaves what it took as it was. */
function taker(values: readonly string[] | undefined, name: string): (() => Promise<string>) | undefined {
  if (values === undefined || values.length === 0) return undefined;
  let next = 0;
  return async () => {
    const value = values[next++ % values.length];
    if (value === undefined) throw new Error(`${name} of the profile is empty`);
    return value;
  };
}
