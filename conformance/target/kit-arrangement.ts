import { eventTypes } from '../../src/contract/generated/events.ts';
import { type Arrangement, createArrangement, type Providers } from './arrangement.ts';
import type { Control, KitInfo } from './control.ts';
import { callsTo } from './hook-calls.ts';
import { hookCapabilities } from './hook-capabilities.ts';
import { kitHooks } from './kit-hooks.ts';
import { kitProfile } from './kit-profile.ts';
import { createKitWorld, type KitOptions, type KitWorld } from './kit-world.ts';
import { profileCapabilities } from './profile-capabilities.ts';
import { followRedirects, type Visit } from './visit.ts';

/** Turns a kit's control API into a profile with hooks: what the suite knows of any target. */
export async function kitArrangement(options: KitOptions): Promise<Arrangement> {
  const { control, cleanup } = options;
  const info = await control.info();
  const world = createKitWorld(options);
  return createArrangement({
    ...profileCapabilities(kitProfile(world, control, info)),
    ...hookCapabilities(callsTo(kitHooks(world, info, options)), cleanup),
    ...controlCapabilities(world, info, options),
  });
}

/** What neither a profile nor a hook can give. */
function controlCapabilities(world: KitWorld, info: KitInfo, { control, disposable }: KitOptions): Providers {
  return {
    'token.unused-credential': () => {
      let used = 0;
      return async () => world.token({ client: await world.credential(`unused-client-${used++}`), principal: await world.manager() });
    },
    'events.tls': () => 'own',
    'events.reach': () => async (destinationUrl) => {
      const { id } = await control.create('subscriptions', { destinationUrl, types: eventTypes, provider: await world.provider() });
      try {
        return await control.knock(id);
      } finally {
        await control.remove('subscriptions', id);
      }
    },
    'events.idle': () => async (subscriptionId) => (await control.pending(subscriptionId)) === 0,
    'events.now': () => control.now,
    'events.sent-now': () => (isSentAtWallTime(info) ? async () => Date.now() : control.now),
    'experience.facts': () => (experienceId) => experienceFacts(control, experienceId),
    'oauth.server': () => (baseUrl) => ({ authorizeUrl: `${baseUrl}${AUTH_PATH}authorize`, tokenUrl: `${baseUrl}${AUTH_PATH}oauth/token` }),
    'oauth.approve': () => visit,
    'oauth.deny': async () => {
      const telephoneNumber = world.newNumber();
      const accounts = await world.grants('manage');
      await world.named('principals', 'decliner', { name: 'Suite decliner', telephoneNumber, accounts, consent: 'declines' });
      return (authorizeUrl, get) => {
        const url = new URL(authorizeUrl);
        url.searchParams.set('login_hint', telephoneNumber);
        return visit(url.href, get);
      };
    },
    // Other users of a kit would become an hour older.
    ...(disposable && { 'clock.advance': () => control.advance }),
  };
}

function isSentAtWallTime({ decisions }: KitInfo): boolean {
  const isSigned = decisions['events.delivery.signature'] === 'standard-webhooks';
  return isSigned && decisions['events.delivery.signed-timestamp'] === 'wall-time';
}

async function experienceFacts(control: Control, experienceId: string) {
  const { name, provider } = (await control.find('experiences', experienceId)) ?? {};
  const { id } = (await control.find('providers', String(provider))) ?? {};
  return { name: String(name), providerId: String(id) };
}

const AUTH_PATH = '/auth/';

/** Follows redirects within the kit through whatever stands in front of it, which has an address that the kit does not know. */
const visit: Visit = (authorizeUrl, get) => {
  const [front = ''] = authorizeUrl.split(AUTH_PATH);
  return followRedirects(authorizeUrl, get, ({ pathname, search }) =>
    pathname.includes(AUTH_PATH) ? `${front}${pathname.slice(pathname.indexOf(AUTH_PATH))}${search}` : undefined,
  );
};
