import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getCallSites } from 'node:util';
import { _baseTest, type TestInfo } from '@playwright/test';
import { PATH_FORMS } from '../../src/report/scope.ts';
import { RuleBroken } from '../expect/rule-broken.ts';
import { loadBoundaryModule } from '../target/boundary.ts';
import { getReport } from '../target/check-report.ts';
import { findTargetSettings } from '../target/target-settings.ts';
import { joinTitle } from './repetition.ts';
import { type CheckDetails, LONG_TAG } from './rule.ts';

const getRepetitions = (await loadBoundaryModule(findTargetSettings(process.env)))?.listRepetitions;

/** True if each check is registered several times, for example once for each mutant. */
export const isRepeated: boolean = getRepetitions !== undefined;

/**
 * The number of checks that a worker gets at once. With a smaller number, workers load the file more often, and with a larger number, more
 * workers are idle at the end.
 */
const GROUP_SIZE = 4;

type RegisteredTest = Partial<CheckDetails> | ((...args: never[]) => unknown);

interface TestFunction {
  (title: string, ...rest: never[]): unknown;
  readonly describe: {
    (title: string, callback: () => void): void;
    (callback: () => void): void;
    configure(options: { mode: 'default' }): void;
  };
}

/**
 * Returns a test function that registers each check for each path form and repetition. This is faster than Playwright's projects and
 * `--repeat-each`, which would start new workers.
 */
export function repeatTest<Test extends TestFunction>(test: Test): Test {
  return new Proxy(test, {
    apply(target, _, [title, ...rest]: [string, ...RegisteredTest[]]) {
      const given = rest.length > 1 ? (rest[0] as Partial<CheckDetails>) : {};
      // Store the check's location, because Playwright would report this file for every check.
      const place = { type: 'place', description: formatCaller(getCallSites(2)) };
      const details = { ...given, annotation: [place, ...(given.annotation ? [given.annotation] : [])] };
      const run = reportBrokenRule(rest.at(-1) as CheckBody);
      const registerTest = (name: string) => target(name, ...([details, run] as never[]));
      for (const form of PATH_FORMS) {
        target.describe(form, () => {
          if (getRepetitions === undefined) return void registerTest(title);
          const repetitions = getRepetitions(given.annotation?.description, form);
          const size = given.tag?.includes(LONG_TAG) ? 1 : GROUP_SIZE;
          for (let at = 0; at < repetitions.length; at += size) {
            target.describe(() => {
              target.describe.configure({ mode: 'default' });
              for (const repetition of repetitions.slice(at, at + size)) registerTest(joinTitle(title, repetition));
            });
          }
        });
      }
    },
  });
}

type CheckBody = (fixtures: object, check: TestInfo) => Promise<void>;

/** Wraps the errors of a check, because Playwright reports only their texts, in which a broken rule looks like any other error. */
function reportBrokenRule(body: CheckBody): CheckBody {
  const run: CheckBody = async (fixtures, check) => {
    try {
      await body(fixtures, check);
    } catch (error) {
      // After a timeout, the check continues in the background.
      if (error instanceof RuleBroken && check.status === 'passed')
        Object.assign(getReport(check), { broken: error.message, brokenAnswer: error.answer });
      throw error;
    }
  };
  // Playwright reads the names of the fixtures from the function's source.
  return Object.assign(run, { toString: () => String(body) });
}

/** Runs checks in one worker, so that they can share data. In runs against mutants, nothing is shared, so checks run in parallel. */
export const SERIAL_OPTIONS = { mode: isRepeated ? 'parallel' : 'default' } as const;

/** Lets checks share data by running them in one worker. */
export function runInOneWorker(define: () => void): void {
  _baseTest.describe(() => {
    _baseTest.describe.configure(SERIAL_OPTIONS);
    define();
  });
}

/** Returns a caller's file and line, such as `rules/users.spec.ts:12`. */
function formatCaller([, caller]: ReturnType<typeof getCallSites>): string {
  const { scriptName = '', lineNumber = 0 } = caller ?? {};
  const file = scriptName.startsWith('file:') ? fileURLToPath(scriptName) : scriptName;
  return `${relative(fileURLToPath(new URL('..', import.meta.url)), file).replaceAll('\\', '/')}:${lineNumber}`;
}
