import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getCallSites } from 'node:util';
import { _baseTest } from '@playwright/test';
import type { PathForm } from '../../src/contract/generated/operations.ts';
import { RuleBroken } from '../../src/expect/rule-broken.ts';
import { PATH_FORMS } from '../../src/report/scope.ts';
import { loadBoundaryModule } from '../target/boundary.ts';
import { getReport } from '../target/check-report.ts';
import { findTargetSettings } from '../target/target-settings.ts';
import { WORKERS_VARIABLE } from './playwright.ts';
import { GROUP_TITLE, joinTitle } from './repetition.ts';
import { type CheckDetails, LONG_TAG, REPEATS_TAG, SILENCE_TAG } from './rule.ts';
import { isSelected, readRunSettings } from './run-settings.ts';
import { SUITE_FOLDER } from './suite-files.ts';
import { type CheckBody, createGroup, type Group } from './together.ts';

const settings = findTargetSettings(process.env);
const boundary = await loadBoundaryModule(settings);
const getRepetitions = boundary?.listRepetitions;

/** Whether the target is a kit, whose checks run in several workers, and may advance its clock. */
export const isKit = settings?.control !== undefined;

/** Whether waiting checks run at the same time: not with a boundary, which needs to know the running check, and only in one worker. */
const canWaitTogether = boundary === undefined && ['1', undefined].includes(process.env[WORKERS_VARIABLE]);
/** In a kit, long checks use the whole machine, or advance the clock. */
const TAGS_OF_GROUPS = canWaitTogether ? [SILENCE_TAG, REPEATS_TAG, ...(isKit ? [] : [LONG_TAG])] : [];
const groups = new Map<string, Group>();

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
      const body = rest.at(-1) as CheckBody;
      const registerTest = (name: string, run = body) => target(name, ...([details, reportBrokenRule(body, run)] as never[]));
      const tag = TAGS_OF_GROUPS.find((each) => given.tag?.includes(each));
      const registerInGroup = (form: PathForm, ofTag: string) => {
        const key = `${ofTag} ${form}`;
        const group = groups.get(key) ?? createGroup(ofTag);
        if (!groups.has(key)) target(`${GROUP_TITLE}${ofTag.slice(1).replaceAll('-', ' ')}`, ...([{ tag: ofTag }, group.run] as never[]));
        groups.set(key, group);
        const ruleIds = given.annotation ? [given.annotation.description] : [];
        const isInRun = () => isSelected(ruleIds, form, readRunSettings(process.env));
        registerTest(title, group.add({ body, isSelected: isInRun }));
      };
      for (const form of PATH_FORMS) {
        target.describe(form, () => {
          if (tag !== undefined) return registerInGroup(form, tag);
          if (getRepetitions === undefined) return void registerTest(title);
          const repetitions = getRepetitions(given.annotation?.description, form);
          const size = [LONG_TAG, REPEATS_TAG].some((each) => given.tag?.includes(each)) ? 1 : GROUP_SIZE;
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

/** Wraps the errors of a check, because Playwright reports only their texts, in which a broken rule looks like any other error. */
function reportBrokenRule(body: CheckBody, run: CheckBody): CheckBody {
  const reporting: CheckBody = async (fixtures, check) => {
    try {
      await run(fixtures, check);
    } catch (error) {
      // After a timeout, the check continues in the background.
      if (error instanceof RuleBroken && check.status === 'passed')
        Object.assign(getReport(check), { broken: error.message, brokenAnswer: error.answer });
      throw error;
    }
  };
  // Playwright reads the names of the fixtures from the function's source.
  return Object.assign(reporting, { toString: () => String(body) });
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
  return `${relative(SUITE_FOLDER, file).replaceAll('\\', '/')}:${lineNumber}`;
}
