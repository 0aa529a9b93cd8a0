import { withProfileMember } from '../../src/report/profile-members.ts';
import type { Capabilities, Capability } from './capabilities.ts';

/** How a target's capabilities are provided: lazily, each at most once for a worker. */
export type Providers = { readonly [C in Capability]?: (arrangement: Arrangement) => Promise<Capabilities[C]> | Capabilities[C] };

/** Thrown where a check needs what the target has not. */
export class NotTestable extends Error {
  override readonly name = 'NotTestable';
  readonly capabilities: readonly Capability[];

  constructor(...capabilities: readonly Capability[]) {
    super(`the target does not give ${capabilities.map(withProfileMember).join(', ')}`);
    this.capabilities = capabilities;
  }
}

/** What a check may ask for. */
export interface Arrangement {
  /** @param also what is needed later, and has to be there, too. @throws NotTestable */
  need<C extends Capability>(capability: C, ...also: readonly Capability[]): Promise<Capabilities[C]>;
  /** Whether the target has it, for a check that can do without. */
  has(capability: Capability): boolean;
}

export function createArrangement(providers: Providers): Arrangement {
  const made = new Map<Capability, unknown>();
  const arrangement: Arrangement = {
    has: (capability) => providers[capability] !== undefined,
    async need(capability, ...also) {
      const provide = providers[capability];
      const missing = [capability, ...also].filter((each) => providers[each] === undefined);
      if (provide === undefined || missing.length > 0) throw new NotTestable(...missing);
      if (!made.has(capability)) made.set(capability, provide(arrangement));
      return (await made.get(capability)) as Capabilities[typeof capability];
    },
  };
  return arrangement;
}
