import type { Capabilities, Capability } from './capabilities.ts';

/** What a check needs of the target: see the fixture `need`. @param also what it will need later: all that is missing is told at once. */
export type Need = <C extends Capability>(capability: C, ...also: readonly Capability[]) => Promise<Capabilities[C]>;
