import type { Capabilities, Capability } from './capabilities.ts';

/** @param alsoNeeded capabilities that the check needs later, so that the report lists everything that is missing */
export type Need = <C extends Capability>(capability: C, ...alsoNeeded: readonly Capability[]) => Promise<Capabilities[C]>;
