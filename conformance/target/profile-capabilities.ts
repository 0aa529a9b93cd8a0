import { randomUUID } from 'node:crypto';
import type { Providers } from './arrangement.ts';
import { askPerson } from './ask-person.ts';
import type { Capabilities, Scope } from './capabilities.ts';
import { notTestable } from './not-testable.ts';
import type { Lazy, ProfileResources, TargetProfile } from './profile.ts';
import { UNKNOWN_TARGETS } from './sample-values.ts';
import { followRedirects, type Visit } from './visit.ts';

/** What a profile gives. @param interactive whether a person can be asked to log in. */
export function profileCapabilities(profile: TargetProfile, interactive = false): Providers {
  const { tokens = {}, allow = {}, accounts = {}, experiences = {}, users = {}, bodies = {}, freeNumbers, freeUsers } = profile;
  return present({
    token: provider(tokens.full),
    'token.reader': provider(tokens.reader),
    'token.outsider': provider(tokens.outsider),
    'token.second-credential': provider(tokens.secondCredential),
    'token.without-scope': isComplete(tokens.withoutScope) ? provider(tokens.withoutScope) : undefined,
    'token.without-claim': provider(tokens.withoutClaim),
    'token.without-claim-and-scope': provider(tokens.withoutClaimAndScope),
    'token.expired': provider(tokens.expired),
    write: allow.write ? () => true : undefined,
    rate: allow.rate ? () => true : undefined,
    account: provider(accounts.main),
    'account.any': ({ need, has }) => (has('account') ? need('account') : randomUUID()),
    'account.second': provider(accounts.second),
    'account.hidden': provider(accounts.hidden),
    'account.many-users': provider(accounts.manyUsers),
    'account.many-connections': provider(accounts.manyConnections),
    experience: provider(experiences.main),
    'experience.any': ({ need, has }) => (has('experience') ? need('experience') : randomUUID()),
    'experience.second': provider(experiences.second),
    'experience.agent': provider(experiences.agent),
    'experience.second-agent': provider(experiences.secondAgent),
    'experience.read-only': provider(experiences.readOnly),
    'experience.hidden': provider(experiences.hidden),
    'experiences.unconnected': taker(experiences.unconnected),
    numbers: taker(freeNumbers),
    'number.any': () => freeNumbers?.[0] ?? UNKNOWN_TARGETS.PHONE_NUMBER(),
    'number.second-account': provider(profile.numberOfSecondAccount),
    users: taker(freeUsers),
    'user.any': () => freeUsers?.[0] ?? UNKNOWN_TARGETS.USER(),
    'user.hidden': provider(users.hidden),
    'user.base62': provider(users.base62),
    'user.legacy-numeric': provider(users.legacyNumeric),
    'user.ambiguous': provider(users.ambiguous),
    'assignments.many': provider(profile.manyAssignments),
    'bodies.connectionCreate': provider(bodies.connectionCreate),
    'bodies.connectionUpdate': provider(bodies.connectionUpdate),
    'users.sort': provider(users.sort),
    'users.read-model-bound': provider(users.readModelBoundMs),
    'experience.facts': experiences.facts && factsFrom(experiences.facts),
    ...authorizationCapabilities(profile.authorization, interactive),
    ...eventCapabilities(profile.events),
  });
}

type Optional = { readonly [C in keyof Providers]: Providers[C] | undefined };

function present(providers: Optional): Providers {
  return Object.fromEntries(Object.entries(providers).filter(([, provide]) => provide !== undefined)) as Providers;
}

function provider<T extends string | number | object>(member: Lazy<T> | undefined): (() => T | Promise<T>) | undefined {
  if (member === undefined) return undefined;
  return typeof member === 'function' ? (member as () => Promise<T>) : () => member;
}

const SCOPES: Readonly<Record<Scope, true>> = {
  'experience-assignability:check': true,
  'experience-assignments:manage': true,
  'experience-connections:manage': true,
  'users:manage': true,
};

type TokensByScope = Lazy<Readonly<Partial<Record<Scope, string>>>>;

function isComplete(tokens: TokensByScope | undefined): tokens is Lazy<Record<Scope, string>> {
  return tokens !== undefined && (typeof tokens === 'function' || Object.keys(SCOPES).every((scope) => scope in tokens));
}

/** Hands out each value once, and then starts again: every check leaves what it took as it was. */
function taker(values: readonly string[] | undefined): (() => () => Promise<string>) | undefined {
  if (values === undefined || values.length === 0) return undefined;
  let next = 0;
  return () => async () => values[next++ % values.length] as string;
}

type Facts = NonNullable<NonNullable<ProfileResources['experiences']>['facts']>;

function factsFrom(facts: Facts): () => Capabilities['experience.facts'] {
  const byId = new Map(Object.entries(facts).map(([id, known]) => [id.toLowerCase(), known]));
  return () => async (experienceId) => byId.get(experienceId.toLowerCase()) ?? notTestable('experience.facts');
}

function authorizationCapabilities(authorization: TargetProfile['authorization'], interactive: boolean): Optional {
  if (authorization === undefined) return {};
  const { url, secretClient, keyClient, loginHint, approve } = authorization;
  const base = url?.replace(/\/+$/, '');
  const isAsked = approve === 'interactive' && interactive;
  return {
    'oauth.server': base === undefined ? undefined : () => () => ({ authorizeUrl: `${base}/authorize`, tokenUrl: `${base}/oauth/token` }),
    'oauth.secret-client': mapped(secretClient, ({ id, ...client }) => ({ clientId: id, ...client })),
    'oauth.key-client': mapped(keyClient, ({ id, privateKey, ...client }) => ({ clientId: id, privateJwk: privateKey, ...client })),
    'oauth.login-hint': provider(loginHint),
    'oauth.approve': approve === 'automatic' ? () => automatic : isAsked ? () => askPerson('approve') : undefined,
    'oauth.deny': isAsked ? () => askPerson('deny') : undefined,
  };
}

function mapped<T extends object, Mapped>(member: Lazy<T> | undefined, map: (value: T) => Mapped): (() => Promise<Mapped>) | undefined {
  const provide = provider(member);
  return provide && (async () => map(await provide()));
}

const automatic: Visit = (authorizeUrl, get) =>
  followRedirects(authorizeUrl, get, ({ href }) => (/^https?:/.test(href) ? href : undefined));

const PATIENCE_S = 30;
const GRACE_S = 2;

function eventCapabilities(events: TargetProfile['events']): Optional {
  if (events === undefined) return {};
  const { receiver, subscription, patienceSeconds = PATIENCE_S, graceSeconds = GRACE_S, repeatsWithinSeconds } = events;
  return {
    subscription: subscription && (() => ({ subscriptionId: subscription.id, path: subscription.path })),
    'events.patience': () => ({ eventMs: patienceSeconds * 1000, graceMs: graceSeconds * 1000 }),
    'events.repeats': repeatsWithinSeconds === undefined ? undefined : () => repeatsWithinSeconds * 1000,
    'events.tls': receiver?.publicUrl.startsWith('https:') ? () => 'public' : undefined,
    // A target without a clock of its own follows wall time.
    'events.now': () => async () => Date.now(),
    'events.sent-now': () => async () => Date.now(),
  };
}
