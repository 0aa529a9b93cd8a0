import { withProfileMember } from '../../src/report/profile-members.ts';
import type { Capabilities, Capability } from './capabilities.ts';
import type { Need } from './need.ts';

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

export function createArrangement(providers: Providers): Arrangement {
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
