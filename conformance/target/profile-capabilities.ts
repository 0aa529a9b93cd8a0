import type { Profile } from '../../src/contract/generated/profile.ts';
import { PROFILE_SOURCES } from '../../src/report/profile-members.ts';
import type { Providers } from './arrangement.ts';
import { askPerson } from './ask-person.ts';
import type { Capabilities, Capability } from './capabilities.ts';
import { endAsNotTestable, endWithoutCapabilities, waitInRealTime } from './check-report.ts';
import { followRedirects, type Visit } from './visit.ts';

export function createProfileCapabilities(profile: Profile, interactive = false): Providers {
  const providers = Object.entries(PROFILE_SOURCES).flatMap(([name, source]) => {
    const capability = name as keyof typeof PROFILE_SOURCES;
    const member = typeof source === 'string' ? source : 'member' in source ? source.member : undefined;
    const value = member?.split('.').reduce<unknown>((part, key) => Object(part)[key], profile);
    if (value === undefined) return [];
    const given = capability in CONVERSIONS ? CONVERSIONS[capability]?.(value as never, profile, interactive) : value;
    return given === undefined ? [] : [[capability, () => given]];
  });
  return Object.fromEntries(providers) as Providers;
}

const approveAutomatically: Visit = (authorizeUrl, get) =>
  followRedirects(authorizeUrl, get, ({ href }) => (/^https?:/.test(href) ? href : undefined));

const DEFAULT_EVENT_WAIT_S = 30;

/** Returns this machine's time, because a profile cannot give access to the target's clock. */
const readWallTime = () => async () => Date.now();

/** Functions that convert profile members to capabilities of a different type. They return undefined if the member is missing. */
const CONVERSIONS: { readonly [C in Capability]?: (member: never, profile: Profile, interactive: boolean) => Capabilities[C] | undefined } =
  {
    write: (isAllowed: boolean) => isAllowed || undefined,
    rate: (isAllowed: boolean) => isAllowed || undefined,
    'experiences.unconnected': cycleThrough,
    numbers: cycleThrough,
    users: cycleThrough,
    'experience.facts': createFactsLookup,
    'oauth.server': (url: string) => () => {
      const base = url.replace(/\/+$/, '');
      return { authorizeUrl: `${base}/authorize`, tokenUrl: `${base}/oauth/token` };
    },
    'oauth.approve': (approve: string, _, interactive) =>
      approve === 'automatic' ? approveAutomatically : interactive ? askPerson('approve') : undefined,
    'oauth.code-lifetime': (seconds: number) => seconds * 1000,
    'clock.wait': (mostSeconds: number) => async (ms: number) => {
      if (ms > mostSeconds * 1000) endAsNotTestable(`authorization.waitSeconds in the profile is less than ${Math.ceil(ms / 1000)}`);
      await waitInRealTime(ms);
    },
    'oauth.deny': (approve: string, _, interactive) => (approve === 'interactive' && interactive ? askPerson('deny') : undefined),
    'events.patience': (_, { events: { patienceSeconds = DEFAULT_EVENT_WAIT_S, graceSeconds = 2 } = {} }) => ({
      eventMs: patienceSeconds * 1000,
      graceMs: graceSeconds * 1000,
    }),
    'events.delivered-within': (seconds: number) => seconds * 1000,
    'events.repeats': (seconds: number) => seconds * 1000,
    'events.tls': (publicUrl: string) => (publicUrl.startsWith('https:') ? 'public' : undefined),
    'events.now': readWallTime,
    'events.sent-now': readWallTime,
  };

/** Returns a function that cycles through the values. A value can be reused, because checks remove the assignments that they created. */
function cycleThrough(values: readonly string[]): () => Promise<string> {
  let next = 0;
  return async () => values[next++ % values.length] as string;
}

function createFactsLookup(facts: NonNullable<NonNullable<Profile['experiences']>['facts']>): Capabilities['experience.facts'] {
  const byId = new Map(Object.entries(facts).map(([id, known]) => [id.toLowerCase(), known]));
  return async (experienceId) => byId.get(experienceId.toLowerCase()) ?? endWithoutCapabilities('experience.facts');
}
