import { _baseTest, type TestInfo } from '@playwright/test';
import type { Answer } from '../../src/expect/answer.ts';
import { createClient } from '../actors/api-client.ts';
import { createAssignments } from '../actors/assignments.ts';
import { createConnections } from '../actors/connections.ts';
import { createDeliveries, type Deliveries } from '../actors/deliveries.ts';
import { createEventSubscriptions } from '../actors/event-subscriptions.ts';
import { createLedger, type Ledger } from '../actors/ledger.ts';
import { createOAuth, type OAuth } from '../actors/oauth.ts';
import { createOperatorActions } from '../actors/operator.ts';
import type { Participants } from '../actors/participants.ts';
import { createReceivers, type Receivers } from '../actors/receiver.ts';
import { createSampleCalls, type SampleCalls } from '../actors/sample-calls.ts';
import { findRefusalsBreakingRules } from '../expect/problem.ts';
import { NotTestable } from '../target/arrangement.ts';
import type { Capability } from '../target/capabilities.ts';
import { endWithoutCapabilities, getReport, note, sendReport, testsRule } from '../target/check-report.ts';
import type { Cleanup } from '../target/cleanup.ts';
import { readTargetSettings } from '../target/target-settings.ts';
import { openTarget, type Target } from '../target/worker-target.ts';
import { collectEvidence } from './evidence.ts';
import { isRepeated, repeatTest } from './repeated.ts';
import { readPathForm } from './repetition.ts';
import { isVerifying } from './run-settings.ts';

interface Fixtures extends Participants {
  cleanup: Cleanup;
  ledger: Ledger;
  /** Valid calls to every operation. A check can change these calls. */
  calls: SampleCalls;
  deliveries: Deliveries;
  participants: Participants;
  oauth: OAuth;
  evidence: undefined;
}

interface WorkerFixtures {
  target: Target;
  receivers: Receivers;
  proofs: Map<string, Promise<string | undefined>>;
}

// Use boxed fixtures, which record no steps, and _baseTest, which opens no browser, because steps and browsers would take a third of a
// run's time.
const BOXED = { box: 'self' } as const;
const BOXED_WORKER = { scope: 'worker', ...BOXED } as const;
/** The longest time, in milliseconds, that a worker's final cleanup may take. A distant kit needs a minute to remove several hundred entities. */
const MAX_CLEANUP_MS = 600_000;

const checkTest = _baseTest.extend<Fixtures, WorkerFixtures>({
  target: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
    async ({}, use, { parallelIndex }) => {
      const target = await openTarget(readTargetSettings(process.env), `worker-${parallelIndex}`);
      await use(target);
      await target.cleanup.run();
      await target.boundary.close();
    },
    { ...BOXED_WORKER, timeout: MAX_CLEANUP_MS },
  ],
  receivers: [
    async ({ target }, use) => {
      const receivers = createReceivers(target.settings.receiver);
      await use(receivers);
      await receivers.close();
    },
    BOXED_WORKER,
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from the pattern
  proofs: [async ({}, use) => use(new Map()), BOXED_WORKER],
  api: [
    async ({ target }, use, testInfo) => {
      // Call `skip` only if necessary, because it is slow even if its condition is false.
      if (target.boundary.isRedundant(testInfo)) testInfo.skip(true, 'redundant');
      const client = createClient(await selectRequestSettings(target, testInfo));
      target.trail.length = 0;
      const { stackTraceLimit } = Error;
      // Omit stacks in runs against mutants, because thousands of checks fail, and Playwright would look up each stack's source.
      if (isRepeated) Error.stackTraceLimit = 0;
      await use(client);
      Error.stackTraceLimit = stackTraceLimit;
      await target.boundary.handleCheckEnd(testInfo);
      // Send the report after the cleanup, which needs capabilities, too.
      sendReport(testInfo);
    },
    BOXED,
  ],
  need: [
    async ({ target }, use, testInfo) => {
      await use(async (...capabilities) => {
        note(getReport(testInfo).needed, ...capabilities);
        try {
          return await target.arrangement.need(...capabilities);
        } catch (error) {
          if (!(error instanceof NotTestable)) throw error;
          return endWithoutCapabilities(...error.capabilities);
        }
      });
    },
    BOXED,
  ],
  has: [
    async ({ target }, use, testInfo) => {
      await use((capability) => {
        if (!ALTERNATIVE_CAPABILITIES.includes(capability)) note(getReport(testInfo).optional, capability);
        return target.arrangement.has(capability);
      });
    },
    BOXED,
  ],
  cleanup: [
    async ({ api, target }, use) => {
      // Refuse further requests before the cleanup, because an interrupted check continues in the background.
      const cleanup = target.cleanup.createNestedCleanup(() => api.finish());
      await use(cleanup);
      await cleanup.run();
    },
    BOXED,
  ],
  ledger: [
    async ({ need, target, cleanup }, use, testInfo) =>
      use(createLedger(createClient({ ...(await selectRequestSettings(target, testInfo)), recordExchange: () => {} }), need, cleanup)),
    BOXED,
  ],
  assignments: [async ({ api, need, ledger }, use) => use(createAssignments(api, need, ledger)), BOXED],
  connections: [async ({ api, need, ledger }, use) => use(createConnections(api, need, ledger)), BOXED],
  calls: [
    async ({ api, need, has, ledger, assignments, connections }, use) =>
      use(createSampleCalls(api, ledger, { need, assignments, connections }, has)),
    BOXED,
  ],
  operator: [async ({ need, ledger, cleanup }, use) => use(createOperatorActions(need, ledger, cleanup)), BOXED],
  events: [
    async ({ need, has, target, receivers, cleanup, connections, assignments }, use, testInfo) => {
      const destinationFor = (url: string) => target.boundary.destinationFor(testInfo, url);
      const { events, close } = await createEventSubscriptions({ need, has, receivers, destinationFor, cleanup, connections, assignments });
      await use(events);
      await close();
    },
    BOXED,
  ],
  deliveries: [async ({ need, assignments }, use) => use(createDeliveries(need, assignments)), BOXED],
  participants: [
    async ({ api, need, has, events, operator, connections, assignments }, use) =>
      use({ api, need, has, events, operator, connections, assignments }),
    BOXED,
  ],
  oauth: [
    async ({ target, need, has, proofs }, use, testInfo) =>
      use(createOAuth({ ...(await selectRequestSettings(target, testInfo)), need, has, proofs })),
    BOXED,
  ],
  evidence: [
    // This fixture depends on `cleanup`, so Playwright collects the evidence before the cleanup sends requests.
    async ({ target, cleanup: _ }, use, testInfo) => {
      await use(undefined);
      // Declare failures as expected, because after an unexpected one, Playwright starts a new worker. The reporter ignores expectedStatus.
      if (testInfo.status === 'failed') testInfo.expectedStatus = 'failed';
      const [report, secrets] = [getReport(testInfo), target.settings.secrets ?? []];
      for (const { operation, answer, ...broken } of findRefusalsBreakingRules(target.trail).filter(({ rule }) => !testsRule(rule)))
        report.others.push({ ...broken, where: `every refusal of ${operation}`, ...collectEvidence(target.trail, answer, secrets) });
      // Skip the evidence in runs against mutants, because nothing uses it.
      if (!isRepeated && (testInfo.errors.length > 0 || isVerifying()))
        report.evidence ??= collectEvidence(target.trail, report.brokenAnswer, secrets);
    },
    { auto: true, ...BOXED },
  ],
});

export const test = repeatTest(checkTest);

/** Capabilities that can replace each other, so `has` does not record them as optional. `need` records the one that a check uses. */
const ALTERNATIVE_CAPABILITIES: readonly Capability[] = [
  'subscriptions',
  'oauth.secret-client',
  'oauth.key-client',
  'oauth.expiring-client',
  'platform.users',
];

/** Settings for requests that belong to the check's trail. */
async function selectRequestSettings({ settings: { headers, timeoutMs }, pace, lists, boundary, trail }: Target, testInfo: TestInfo) {
  const [form, baseUrl] = [readPathForm(testInfo.titlePath), await boundary.baseUrlFor(testInfo)];
  const recordExchange = (operationId: string, answer: Answer) => void trail.push({ operationId, answer });
  return { headers, timeoutMs, pace, lists, form, baseUrl, recordExchange };
}
