import type { Capabilities, Capability } from './capabilities.ts';

/** What a check needs of the target: see the fixture `need`. */
export type Need = <C extends Capability>(capability: C) => Promise<Capabilities[C]>;
