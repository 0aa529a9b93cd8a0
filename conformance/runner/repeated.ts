import { boundaryModule } from '../target/boundary.ts';
import { findTargetSettings } from '../target/target-settings.ts';
import { titleFor } from './repetition.ts';
import type { Details } from './rule.ts';

const repetitionsOf = (await boundaryModule(findTargetSettings(process.env)))?.repetitionsOf;

/** Whether each check is registered several times, for example once for each mutant. */
export const isRepeated: boolean = repetitionsOf !== undefined;

/**
 * The number of checks that Playwright gives to a worker at once. Small groups take more time, because Playwright reads the file with the
 * checks for each group. Large groups leave some workers idle at the end of a run.
 */
const GROUP_SIZE = 4;

interface Tests {
  (title: string, ...rest: never[]): unknown;
  readonly describe: { (callback: () => void): void; configure(options: { mode: 'default' }): void };
}

/**
 * Returns a test function that registers each check once for each repetition that the boundary names. Playwright's `--repeat-each` would
 * start new workers for each repetition, which takes a hundred times as long as a check.
 */
export function repeated<Test extends Tests>(test: Test): Test {
  if (repetitionsOf === undefined) return test;
  return new Proxy(test, {
    apply(target, _, [title, ...rest]: [string, ...never[]]) {
      const [details] = rest as readonly (Partial<Details> | undefined)[];
      const repetitions = repetitionsOf(details?.annotation?.description);
      for (let at = 0; at < repetitions.length; at += GROUP_SIZE) {
        target.describe(() => {
          target.describe.configure({ mode: 'default' });
          for (const repetition of repetitions.slice(at, at + GROUP_SIZE)) target(titleFor(title, repetition), ...rest);
        });
      }
    },
  });
}
