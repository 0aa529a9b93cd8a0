import { _baseTest, type TestInfo } from '@playwright/test';
import type { PathForm } from '../../src/contract/generated/operations.ts';
import { type Client, createClient } from '../actors/client.ts';
import { NotTestable } from '../target/arrangement.ts';
import type { Capability } from '../target/capabilities.ts';
import { createLedger, type Ledger } from '../target/ledger.ts';
import type { Need } from '../target/need.ts';
import { openTarget, type Target } from '../target/target.ts';
import { evidenceOf } from './evidence.ts';
import { isRepeated, repeated } from './repeated.ts';

export interface Options {
  /** Which path form a project tests. */
  form: PathForm;
}

export interface Fixtures {
  /** Calls of operations under the form of the project. */
  api: Client;
  /** What the check needs of the target. Where the target has it not, the check ends as not testable. */
  need: Need;
  has: (capability: Capability) => boolean;
  /** What the check made and has to be removed after it. */
  ledger: Ledger;
  evidence: undefined;
}

// Neither a browser nor steps to show: Playwright's own fixtures and a step for each of these were a third of a run's time.
export const SILENT = { box: 'self' } as const;

const checks = _baseTest.extend<Fixtures & Options, { target: Target }>({
  form: ['prefixed', { option: true }],
  target: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
    async ({}, use, { parallelIndex }) => {
      const target = await openTarget(`worker-${parallelIndex}`);
      await use(target);
      // Ending the run cuts short what comes after a check, too; but not this.
      await Promise.allSettled(target.settling);
      await target.close();
    },
    { scope: 'worker', ...SILENT },
  ],
  api: [
    async ({ form, target }, use, testInfo) => {
      testInfo.skip(target.spares(testInfo), 'spared');
      const client = createClient({
        ...clientOf(target, testInfo),
        form,
        record: (operationId, answer) => target.trail.push({ operationId, answer }),
      });
      target.trail.length = 0;
      const { stackTraceLimit } = Error;
      // Before saboteurs thousands of checks fail, and Playwright would look up and colour the place in the code for each of them.
      if (isRepeated) Error.stackTraceLimit = 0;
      await use(client);
      Error.stackTraceLimit = stackTraceLimit;
      await target.ended(testInfo);
    },
    SILENT,
  ],
  need: [
    async ({ target }, use, testInfo) => {
      await use(async (...capabilities) => {
        try {
          return await target.arrangement.need(...capabilities);
        } catch (error) {
          if (!(error instanceof NotTestable)) throw error;
          testInfo.skip(true, `not-testable: ${error.capabilities.join(',')}`);
          throw error;
        }
      });
    },
    SILENT,
  ],
  has: [
    async ({ target }, use) => {
      await use(target.arrangement.has);
    },
    SILENT,
  ],
  ledger: [
    async ({ api, need, target, form }, use, testInfo) => {
      const ledger = createLedger(createClient({ ...clientOf(target, testInfo), form, record: () => {} }), need);
      await use(ledger);
      // A check that is ended from outside goes on until it meets this: what it is about to make would be left behind.
      const settled = api.finish().then(() => ledger.settle());
      target.settling.push(settled);
      await settled;
    },
    SILENT,
  ],
  evidence: [
    // It names the ledger to end before it: what is removed after the check is no part of what the check saw.
    async ({ target, ledger: _ }, use, testInfo) => {
      await use(undefined);
      const [error] = testInfo.errors;
      // Playwright starts a new worker after a failure, which would create its world again. The reporter reads the status, not what was expected.
      if (testInfo.status === 'failed') testInfo.expectedStatus = 'failed';
      // Before saboteurs thousands of checks fail, and nobody asks what each of them saw.
      if (isRepeated) return;
      const evidence = error && evidenceOf(target.trail, error.message, target.secrets);
      if (evidence === undefined) return;
      await testInfo.attach('evidence', { body: JSON.stringify(evidence), contentType: 'application/json' });
    },
    { auto: true, ...SILENT },
  ],
});

/** Playwright's test, for checks of a target. */
export const test = repeated(checks);

function clientOf(target: Target, testInfo: TestInfo) {
  return { ...target.client, baseUrl: target.baseUrlFor(testInfo) };
}
