import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Results } from '../contract/generated/results.ts';
import { formatHtmlReport } from '../report/html.ts';
import { createRunView } from '../report/run-view.ts';
import { createFinding, createSmallResults, IMPLIED_RULE, passedFindings } from '../report/testing/small-results.ts';
import { formatResults } from '../report/write-reports.ts';
import { assertAccessible, closeBrowserAfterTests, openConsole } from '../testing/console.ts';

closeBrowserAfterTests();

const MARKUP_ATTACK = '<img src=x onerror=alert(1)>';
/** A file name that a browser must not read as markup. */
const REPORT_NAME = `client ${MARKUP_ATTACK.replaceAll('/', '')}`;

const folder = await mkdtemp(join(tmpdir(), 'xpk-reports-'));
before(async () => {
  const failed = createFinding(IMPLIED_RULE, 'flat', 'failed', { failure: { message: MARKUP_ATTACK } });
  await writeReport('conformance-report', createSmallResults([...passedFindings, failed]));
  await writeReport(
    REPORT_NAME,
    createSmallResults(passedFindings, { target: { kind: 'client', baseUrl: 'http://127.0.0.1:1', name: MARKUP_ATTACK } }),
  );
});
after(() => rm(folder, { recursive: true }));

async function writeReport(name: string, results: Results): Promise<void> {
  await mkdir(join(folder, name));
  await writeFile(join(folder, name, 'results.json'), formatResults(results));
  await writeFile(join(folder, name, 'index.html'), formatHtmlReport(createRunView(results)));
}

test('in a browser, the console lists the reports, and opens a report in a frame without an origin', async () => {
  await using opened = await openConsole('/reports', { settings: { reports: folder } });
  const { page, messages } = opened;
  await page.getByRole('link', { name: 'Conformance of https://api.example.com' }).click();
  const frame = page.frameLocator('iframe.report');
  await frame.getByRole('heading', { level: 1 }).waitFor();
  await frame.getByText(MARKUP_ATTACK).first().waitFor({ state: 'attached' });
  assert.equal(await frame.locator('img').count(), 0);
  const child = page.frames().find((each) => each !== page.mainFrame());
  assert.equal(await child?.evaluate('origin'), 'null');
  await assert.rejects(child!.evaluate(`fetch(${JSON.stringify(opened.kit.url)} + '/_control/info')`));
  await page.getByRole('link', { name: 'All reports' }).click();
  await page.getByRole('link', { name: `Check of the client ${MARKUP_ATTACK}` }).click();
  await page.getByRole('heading', { level: 1, name: `Check of the client ${MARKUP_ATTACK}` }).waitFor();
  await frame.getByRole('heading', { level: 1 }).waitFor();
  assert.equal(await page.locator('img').count(), 0);
  // The only console message is about the frame's blocked request.
  assert.ok(
    messages.every((message) => /Content Security Policy|Refused to connect|violates/.test(message)),
    messages.join('\n'),
  );
});

test('in a browser, requests are checked and counted in the coverage as they arrive', async () => {
  await using opened = await openConsole('/reports/client', { settings: { reports: folder } });
  const { page, kit } = opened;
  await page.getByText('No requests to check').waitFor();
  const authorization = `Bearer ${(await kit.tokens()).full}`;
  await fetch(`${kit.url}/experience-connections?tn=%2B12065550100`, { headers: { authorization } });
  const broken = page.getByRole('article', { name: 'client.telephone-number-not-tn' });
  await broken.getByText(/The query contains the deprecated parameter tn/).waitFor();
  const operation = page.locator('.coverage details').filter({ hasText: 'getExperienceConnections' });
  await operation.locator('summary').click();
  await operation.getByRole('row', { name: /^200 .* 1 ×/ }).waitFor();
  await page.getByRole('button', { name: 'Check from now on' }).click();
  await page.getByText('No requests to check').waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Check all requests' }).waitFor({ state: 'detached' });
});

test('in a browser, the report pages are accessible', async () => {
  await using opened = await openConsole('/reports', { settings: { reports: folder } });
  const { page, kit, goto } = opened;
  await page.getByRole('link', { name: /^Conformance of/ }).waitFor();
  await assertAccessible(page);
  await fetch(`${kit.url}/experience-connections?tn=1`, { headers: { authorization: 'Bearer x' } });
  await goto('/reports/client');
  await page.getByRole('article', { name: 'client.telephone-number-not-tn' }).waitFor();
  await page.locator('.coverage summary').first().click();
  await assertAccessible(page);
});
