import type { ControlCall, SentRequest } from '../trial.ts';

/** Something that might have let a request succeed: another request, another world, or both. */
export interface Change {
  /** A sentence. */
  readonly text: string;
  readonly request?: Partial<SentRequest>;
  readonly control?: readonly ControlCall[];
}
