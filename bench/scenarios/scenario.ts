import type { Options } from '../options.ts';
import type { Absolute, Row } from '../report.ts';

export interface Result {
  readonly rows: Row[];
  readonly absolutes?: Omit<Absolute, 'scenario'>[];
}

/** Starts what it needs, measures it and ends it. @param say tells how far it is. */
export type Scenario = (options: Options, say: (text: string) => void) => Promise<Result>;
