import { randomUUID } from 'node:crypto';
import { withProfileMember } from '../../src/report/profile-members.ts';
import type { Capabilities, Capability } from './capabilities.ts';
import type { Need } from './need.ts';
import { UNKNOWN_TARGETS } from './sample-values.ts';

/** How a target's capabilities are provided: on demand, each at most once for a worker. */
export type Providers = { readonly [C in Capability]?: (arrangement: Arrangement) => Promise<Capabilities[C]> | Capabilities[C] };

/** The target does not have what a check needs. */
export class NotTestable extends Error {
  override readonly name = 'NotTestable';
  readonly capabilities: readonly Capability[];

  constructor(...capabilities: readonly Capability[]) {
    super(`the target does not give ${capabilities.map(withProfileMember).join(', ')}`);
    this.capabilities = capabilities;
  }
}

/** The capabilities of a target, as checks ask for them. */
export interface Arrangement {
  /** @throws NotTestable */
  readonly need: Need;
  /** Whether the target has the capability, for checks that can do without it. */
  has(capability: Capability): boolean;
}

/** A known id if there is one; numbers and users belong to `account`. */
const ANY: Providers = {
  'account.any': ({ need, has }) => (has('account') ? need('account') : randomUUID()),
  'experience.any': ({ need, has }) => (has('experience') ? need('experience') : randomUUID()),
  'number.any': async ({ need, has }) => (has('numbers') && has('account') ? (await need('numbers'))() : UNKNOWN_TARGETS.PHONE_NUMBER),
  'user.any': async ({ need, has }) => (has('users') && has('account') ? (await need('users'))() : UNKNOWN_TARGETS.USER),
};

export function createArrangement(given: Providers): Arrangement {
  const providers = { ...ANY, ...given };
  const provided = new Map<Capability, unknown>();
  const arrangement: Arrangement = {
    has: (capability) => providers[capability] !== undefined,
    async need(capability, ...also) {
      const provide = providers[capability];
      const missing = [capability, ...also].filter((each) => providers[each] === undefined);
      if (provide === undefined || missing.length > 0) throw new NotTestable(...missing);
      if (!provided.has(capability)) provided.set(capability, provide(arrangement));
      return (await provided.get(capability)) as Capabilities[typeof capability];
    },
  };
  return arrangement;
}
