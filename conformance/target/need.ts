import type { Capabilities, Capability } from './capabilities.ts';

/**
 * Returns one of the target's capabilities.
 * @param alsoNeeded capabilities that the check needs later, so that the report lists everything that is missing
 */
export type Need = <C extends Capability>(capability: C, ...alsoNeeded: readonly Capability[]) => Promise<Capabilities[C]>;
