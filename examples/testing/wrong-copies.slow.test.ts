import assert from 'node:assert/strict';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { ALL_PROVOCATIONS, PROVOCATIONS } from '../../src/checks/client/provocations.ts';
import { createKit, type Finding, type Kit } from '../../src/kit.ts';
import { copyExample, type FileEdit } from './copy.ts';
import { wrongClients, wrongConsumers } from './wrong-copies.ts';

type Helpers = typeof import('../provider-app/test/start-app.ts');
type App = Awaited<ReturnType<Helpers['startApp']>>;

const levels = ['documented', 'implied', 'advice'] as const;

/** Starts a kit and a changed copy of the example, and returns the findings from `check`. */
async function checkChangedCopy(
  edits: readonly FileEdit[],
  check: (kit: Kit, app: App, customers: Helpers['CUSTOMERS']) => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  using copy = copyExample(edits);
  const { startApp, CUSTOMERS } = (await import(join(copy.folder, 'test/start-app.ts'))) as Helpers;
  await using kit = await createKit({ port: 0, fixtures: join(copy.folder, 'world.yaml') });
  const app = await startApp(kit);
  try {
    return await check(kit, app, CUSTOMERS);
  } finally {
    app.close();
  }
}

/** Asserts that the findings report `rule`, and no other rule of the level `documented`. */
function assertBreaks(rule: string, findings: readonly Finding[]): void {
  const broken = findings.filter((finding) => finding.level === 'documented' || finding.rule === rule);
  assert.deepEqual([...new Set(broken.map((finding) => finding.rule))], [rule], JSON.stringify(broken, undefined, 2));
}

suite('copies of the example with a faulty consumer', { concurrency: 4 }, () => {
  for (const { name, rule, edits } of wrongConsumers)
    test(`if the consumer ${name}, it breaks ${rule} and no other documented rule`, async () => {
      const findings = await checkChangedCopy(edits, async (kit, app, customers) => {
        for (const [account, number] of customers) await app.connect(account, number);
        const report = await kit.checkWebhook({
          url: `${app.url}/hooks`,
          state: app.state,
          restart: app.restart,
          loseStore: { url: `${app.url}/rebuild` },
          settleMs: 1000,
          levels,
        });
        return report.findings;
      });
      assertBreaks(rule, findings);
    });
});

suite('copies of the example with a faulty client', () => {
  for (const { name, rule, edits } of wrongClients)
    test(`if the client ${name}, it breaks ${rule} and no other documented rule`, async (t) => {
      // Stop the clock. Otherwise, a busy machine could delay a repeated request, as if the client had waited.
      const now = performance.now();
      if (rule === 'limits.assignability.back-off') t.mock.method(performance, 'now', () => now);
      const findings = await checkChangedCopy(edits, async (kit, app, customers) => {
        for (const provocation of ALL_PROVOCATIONS) for (const fault of PROVOCATIONS[provocation]) await kit.fault(fault);
        // The application refuses the first login, because its redirect has a wrong `state`.
        for (const [account, number] of [customers[0], ...customers]) await app.connect(account, number);
        const free = { fault: 'response', status: 200, operation: 'getExperienceAssignability', body: { assignable: true } } as const;
        await using _ = await kit.fault(free);
        await app.connect('clinic', '+12065550122');
        return kit.findings({ levels, wholeLists: rule === 'client.traversal-until-null' });
      });
      assertBreaks(rule, findings);
    });
});
