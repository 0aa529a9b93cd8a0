import type { Capabilities, Capability } from './capabilities.ts';

/**
 * Gives a check a capability of the target.
 * @param also what the check needs later: everything that is missing is reported at once.
 */
export type Need = <C extends Capability>(capability: C, ...also: readonly Capability[]) => Promise<Capabilities[C]>;
