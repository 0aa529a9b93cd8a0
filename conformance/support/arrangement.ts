import type { Capabilities, Capability } from './capabilities.ts';

/** How a target's capabilities are provided: lazily, each at most once for a worker. */
export type Providers = { readonly [C in Capability]?: (arrangement: Arrangement) => Promise<Capabilities[C]> | Capabilities[C] };

/** Thrown where a check needs what the target has not. */
export class NotTestable extends Error {
  override readonly name = 'NotTestable';
  readonly capability: Capability;

  constructor(capability: Capability) {
    super(`the target profile does not give "${capability}"`);
    this.capability = capability;
  }
}

/** What a check may ask for, and the trail of what it left behind. */
export interface Arrangement {
  /** @throws NotTestable */
  need<C extends Capability>(capability: C): Promise<Capabilities[C]>;
  /** Whether the target has it, for a check that can do without. */
  has(capability: Capability): boolean;
}

export function createArrangement(providers: Providers): Arrangement {
  const made = new Map<Capability, unknown>();
  const arrangement: Arrangement = {
    has: (capability) => providers[capability] !== undefined,
    async need(capability) {
      const provide = providers[capability];
      if (provide === undefined) throw new NotTestable(capability);
      if (!made.has(capability)) made.set(capability, provide(arrangement));
      return (await made.get(capability)) as Capabilities[typeof capability];
    },
  };
  return arrangement;
}
