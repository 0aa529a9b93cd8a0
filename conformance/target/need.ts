import type { Capabilities, Capability } from './capabilities.ts';

/**
 * Returns one of the target's capabilities.
 * @param also capabilities that the check needs later, so that one report names all missing ones
 */
export type Need = <C extends Capability>(capability: C, ...also: readonly Capability[]) => Promise<Capabilities[C]>;
