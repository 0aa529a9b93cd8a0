import { type BoundaryModule, boundaryModule } from './boundary.ts';
import { titleFor } from './repetition.ts';

const repetitionsOf = (await boundaryModule(process.env))?.repetitionsOf;

/** Whether each check may be there several times, and then in front of another server each time. */
export const isRepeated: boolean = repetitionsOf !== undefined;

/** Playwright hands out a file's checks in groups, and each time goes over the whole file. Large ones would leave workers without work at the end. */
const TOGETHER = 4;

interface Tests {
  (title: string, ...rest: never[]): unknown;
  readonly describe: { (callback: () => void): void; configure(options: { mode: 'default' }): void };
}

/**
 * The same test type, with which a check is registered once for each repetition that the boundary wants. Playwright's own `--repeat-each` starts
 * the workers anew for each, which takes a hundred times as long as a check.
 */
export function repeated<Test extends Tests>(test: Test): Test {
  return repetitionsOf === undefined ? test : repeating(test, repetitionsOf);
}

function repeating<Test extends Tests>(test: Test, repetitionsOf: NonNullable<BoundaryModule['repetitionsOf']>): Test {
  return new Proxy(test, {
    apply(target, _, [title, ...rest]: [string, ...never[]]) {
      // Called plainly: Playwright takes the place of a check from its caller, and Reflect has none.
      const repetitions = repetitionsOf(title);
      if (repetitions === undefined) return target(title, ...rest);
      for (let at = 0; at < repetitions.length; at += TOGETHER) {
        target.describe(() => {
          target.describe.configure({ mode: 'default' });
          for (const repetition of repetitions.slice(at, at + TOGETHER)) target(titleFor(title, repetition), ...rest);
        });
      }
    },
    get(target, member) {
      const value: unknown = Reflect.get(target, member);
      if (member !== 'extend') return value;
      return (...fixtures: never[]) => repeating((value as (...fixtures: never[]) => Test)(...fixtures), repetitionsOf);
    },
  });
}
