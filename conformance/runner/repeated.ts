import { boundaryModule } from '../target/boundary.ts';
import { findTargetSettings } from '../target/target-settings.ts';
import { titleFor } from './repetition.ts';
import type { Details } from './rule.ts';

const repetitionsOf = (await boundaryModule(findTargetSettings(process.env)))?.repetitionsOf;

/** Whether checks are registered several times, each time with another server in front. */
export const isRepeated: boolean = repetitionsOf !== undefined;

/** Playwright hands out a file's checks in groups, and reads the whole file for each. Large groups would leave workers idle at the end. */
const GROUP_SIZE = 4;

interface Tests {
  (title: string, ...rest: never[]): unknown;
  readonly describe: { (callback: () => void): void; configure(options: { mode: 'default' }): void };
}

/**
 * The same test type, which registers each check once for each repetition that the boundary asks for. Playwright's `--repeat-each` would start new
 * workers for each, which takes a hundred times as long as a check.
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
