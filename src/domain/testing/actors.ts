import type { Actor, Caller } from '../access.ts';

export const CALLER: Caller = { clientId: 'client', providerId: 'acme', principalId: 'alice' };

/** An actor whose access is limited. */
export const PROVIDER: Actor = { kind: 'provider', caller: CALLER };

/** An actor whose access is not limited. */
export const PLATFORM: Actor = { kind: 'platform' };

export const PORTAL: Actor = { kind: 'portal' };
