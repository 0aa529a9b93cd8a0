import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { writeReports } from '../report/testing/report-folder.ts';
import { createFinding, createSmallResults, IMPLIED_RULE, passedFindings } from '../report/testing/small-results.ts';
import { listen } from '../store/testing/listen.ts';
import { assertAccessible, closeBrowserAfterTests, openConsole } from '../testing/console.ts';

closeBrowserAfterTests();

const MARKUP_ATTACK = '<img src=x onerror=alert(1)>';
/** A file name that a browser must not read as markup. */
const REPORT_NAME = `client ${MARKUP_ATTACK.replaceAll('/', '')}`;

const failed = createFinding(IMPLIED_RULE, 'flat', 'failed', { failure: { message: MARKUP_ATTACK } });
const client = { kind: 'client', baseUrl: 'http://127.0.0.1:1', name: MARKUP_ATTACK } as const;

test('in a browser, the console lists the reports, and opens a report in a frame without an origin', async () => {
  await using reports = await writeReports({
    'conformance-report': createSmallResults([...passedFindings, failed]),
    [REPORT_NAME]: createSmallResults(passedFindings, { target: client }),
  });
  await using opened = await openConsole('/reports', { settings: { reports: reports.folder } });
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
  await using opened = await openConsole('/reports/client');
  const { page, sendRequest } = opened;
  await page.getByText('No requests to check').waitFor();
  await sendRequest('/experience-connections?tn=%2B12065550100');
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

test('in a browser, a check of an endpoint is started, and its report is opened', async () => {
  await using endpoint = await listen(createServer((request, response) => void request.resume().on('end', () => response.end())));
  await using opened = await openConsole('/reports/checks');
  const { page, messages } = opened;
  await page.getByText('No checks yet').waitFor();
  const form = page.locator('form', { has: page.getByRole('button', { name: 'Check the endpoint' }) });
  await form.getByRole('button', { name: 'Check the endpoint' }).click();
  await form.getByText('The webhook check needs the url of the endpoint.').waitFor();
  await form.getByRole('textbox', { name: 'URL required', exact: true }).fill(endpoint.url);
  assert.equal(await form.getByText('Required.').count(), 0);
  await form.getByRole('textbox', { name: 'Rules' }).fill('events.endpoint.answers-in-time');
  await assertAccessible(page);
  await form.getByRole('button', { name: 'Check the endpoint' }).click();
  const row = page.getByRole('listitem').filter({ hasText: endpoint.url });
  await row.getByText('passed').waitFor();
  await row.getByRole('link', { name: endpoint.url }).click();
  await page.frameLocator('iframe.report').getByText('events.endpoint.answers-in-time').first().waitFor({ state: 'attached' });
  assert.deepEqual(
    messages.filter((message) => !message.includes('400')),
    [],
  );
});
