import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventTypes } from '../src/contract/generated/events.ts';
import type { World } from '../src/world/world.ts';

export const EXPERIENCE = '0190f000-0000-7000-8000-000000000001';
export const ACCOUNT = 'account';

/** The whole account is assigned, so that its users are events, too. @param destinations a subscription for everything to each of them */
export function chaosWorld(destinations: readonly string[]): World {
  return {
    world: 'chaos',
    providers: { provider: { name: 'Provider' } },
    experiences: { experience: { id: EXPERIENCE, provider: 'provider', name: 'Experience', type: 'GENERAL' } },
    accounts: { [ACCOUNT]: { name: 'Account' } },
    principals: { principal: { name: 'Principal', accounts: { [ACCOUNT]: 'manage' } } },
    clients: { client: { provider: 'provider', name: 'Client' } },
    assignments: { whole: { experience: 'experience', targetType: 'ACCOUNT', target: ACCOUNT } },
    subscriptions: Object.fromEntries(
      destinations.map((destinationUrl, n) => [`subscription-${n}`, { provider: 'provider', types: [...eventTypes], destinationUrl }]),
    ),
    tokens: { token: { client: 'client', principal: 'principal' } },
  };
}

/** Writes the world to a file that a kit can be started with. @returns its path */
export function writeWorld(folder: string, destinations: readonly string[]): string {
  const path = join(folder, 'world.yaml');
  // JSON is YAML.
  writeFileSync(path, JSON.stringify(chaosWorld(destinations)));
  return path;
}
