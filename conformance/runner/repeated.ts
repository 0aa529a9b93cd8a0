import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getCallSites } from 'node:util';
import { _baseTest } from '@playwright/test';
import { FORMS } from '../../src/report/scope.ts';
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

type Registered = Partial<Details> | ((...args: never[]) => unknown);

interface Tests {
  (title: string, ...rest: never[]): unknown;
  readonly describe: {
    (title: string, callback: () => void): void;
    (callback: () => void): void;
    configure(options: { mode: 'default' }): void;
  };
}

/**
 * Returns a test function that registers each check once for each path form, and once for each repetition that the boundary names. A
 * Playwright project for each path form would need its own workers. Playwright's `--repeat-each` would start new workers for each
 * repetition, which takes a hundred times as long as a check.
 */
export function repeated<Test extends Tests>(test: Test): Test {
  return new Proxy(test, {
    apply(target, _, [title, ...rest]: [string, ...Registered[]]) {
      const given = rest.length > 1 ? (rest[0] as Partial<Details>) : {};
      // Playwright would report this file as the place of every check.
      const place = { type: 'place', description: callerOf(getCallSites(2)) };
      const details = { ...given, annotation: [place, ...(given.annotation ? [given.annotation] : [])] };
      const register = (name: string) => target(name, ...([details, rest.at(-1)] as never[]));
      for (const form of FORMS) {
        target.describe(form, () => {
          if (repetitionsOf === undefined) return void register(title);
          const repetitions = repetitionsOf(given.annotation?.description, form);
          for (let at = 0; at < repetitions.length; at += GROUP_SIZE) {
            target.describe(() => {
              target.describe.configure({ mode: 'default' });
              for (const repetition of repetitions.slice(at, at + GROUP_SIZE)) register(titleFor(title, repetition));
            });
          }
        });
      }
    },
  });
}

/**
 * The configuration of checks that run in one worker, one after the other, because they share what each worker creates for itself. Repeated
 * checks share nothing, because each repetition runs against a separate server, so they run in parallel.
 */
export const IN_ONE_WORKER = { mode: isRepeated ? 'parallel' : 'default' } as const;

/** Runs the checks that `define` defines in one worker, because they share a large list or a load. */
export function inOneWorker(define: () => void): void {
  _baseTest.describe(() => {
    _baseTest.describe.configure(IN_ONE_WORKER);
    define();
  });
}

/** Returns the file and the line of a caller, such as `rules/users.spec.ts:12`. */
function callerOf([, caller]: ReturnType<typeof getCallSites>): string {
  const { scriptName = '', lineNumber = 0 } = caller ?? {};
  const file = scriptName.startsWith('file:') ? fileURLToPath(scriptName) : scriptName;
  return `${relative(fileURLToPath(new URL('..', import.meta.url)), file).replaceAll('\\', '/')}:${lineNumber}`;
}
