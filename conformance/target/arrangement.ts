import { randomUUID } from 'node:crypto';
import { UNKNOWN_TARGETS } from '../../src/refusals/hostile-values.ts';
import { addProfileMember } from '../../src/report/profile-members.ts';
import type { Capabilities, Capability, Need } from './capabilities.ts';

/** A worker calls each function at most once. */
export type Providers = { readonly [C in Capability]?: (arrangement: Arrangement) => Promise<Capabilities[C]> | Capabilities[C] };

export class NotTestable extends Error {
  override readonly name = 'NotTestable';
  readonly capabilities: readonly Capability[];

  constructor(...capabilities: readonly Capability[]) {
    super(`the target does not provide ${capabilities.map(addProfileMember).join(', ')}`);
    this.capabilities = capabilities;
  }
}

export interface Arrangement {
  /** @throws NotTestable if the target does not have the capability */
  readonly need: Need;
  has(capability: Capability): boolean;
}

/**
 * Provides an existing id, or if the target has none, a well-formed unknown id. Existing telephone numbers and users belong to `account`.
 */
const EXISTING_OR_UNKNOWN_ID_PROVIDERS: Providers = {
  'account.any': ({ need, has }) => (has('account') ? need('account') : randomUUID()),
  'experience.any': ({ need, has }) => (has('experience') ? need('experience') : randomUUID()),
  'number.any': async ({ need, has }) => (has('numbers') && has('account') ? (await need('numbers'))() : UNKNOWN_TARGETS.PHONE_NUMBER),
  'user.any': async ({ need, has }) => (has('users') && has('account') ? (await need('users'))() : UNKNOWN_TARGETS.USER),
};

export function createArrangement(targetProviders: Providers): Arrangement {
  const providers = { ...EXISTING_OR_UNKNOWN_ID_PROVIDERS, ...targetProviders };
  const provided = new Map<Capability, unknown>();
  const arrangement: Arrangement = {
    has: (capability) => providers[capability] !== undefined,
    async need(capability, ...alsoNeeded) {
      const provide = providers[capability];
      const missing = [capability, ...alsoNeeded].filter((each) => providers[each] === undefined);
      if (provide === undefined || missing.length > 0) throw new NotTestable(...missing);
      if (!provided.has(capability)) provided.set(capability, provide(arrangement));
      return (await provided.get(capability)) as Capabilities[typeof capability];
    },
  };
  return arrangement;
}
