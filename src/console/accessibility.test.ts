import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { writeReports } from '../report/testing/report-folder.ts';
import { createSmallResults, passedFindings } from '../report/testing/small-results.ts';
import { assertAccessible, closeBrowserAfterTests, openConsole } from '../testing/console.ts';
import { getButton, getMain } from './testing/page.ts';

closeBrowserAfterTests();

const DAY_MS = 86_400_000;

interface CheckedPage {
  readonly path: string;
  /** A text that appears after the page has loaded its data. */
  readonly text: string | RegExp;
  readonly prepare?: (page: Page) => Promise<void>;
}

const openForm = async (page: Page, name: string) => {
  await getButton(page, name).click();
  await page.getByRole('dialog').waitFor();
};

const PAGES: readonly CheckedPage[] = [
  { path: '/', text: 'globex-web' },
  { path: '/requests', text: '/users/none' },
  { path: '/world/all', text: 'slow' },
  {
    path: '/world/experiences',
    text: 'reception',
    async prepare(page) {
      await openForm(page, 'New experience');
      await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    },
  },
  { path: '/world/accounts/northwind', text: 'History' },
  { path: '/events', text: 'held' },
  { path: '/events/held', text: 'Release the first' },
  { path: '/events/subscriptions', text: 'Resume', prepare: (page) => openForm(page, 'New subscription') },
  { path: '/events/signature', text: 'Nothing has been checked yet.' },
  { path: '/clock', text: 'problem 502' },
  { path: '/reports', text: /^Conformance of/ },
  {
    path: '/reports/client',
    text: 'The query contains the deprecated parameter tn',
    prepare: (page) => page.locator('.coverage summary').first().click(),
  },
];

test('in a browser, every page is accessible in both themes and fits into wide and narrow windows', { timeout: 180_000 }, async () => {
  await using reports = await writeReports({ report: createSmallResults(passedFindings) });
  await using opened = await openConsole('/', { settings: { reports: reports.folder } });
  const { page, goto, control, connect, sendRequest } = opened;
  const types = ['experience.connection.created'];
  for (const [alias, mode] of Object.entries({ paused: { hold: true }, late: { delay: DAY_MS } })) {
    await control('POST', '/subscriptions', { alias, provider: 'acme', types });
    await control('PUT', `/subscriptions/${alias}/delivery-mode`, mode);
  }
  await control('POST', '/faults', { fault: 'problem', operation: 'getUser', status: 502, undocumented: true, times: 1, after: 9 });
  await connect('first');
  await sendRequest('/experience-connections?tn=1');
  const traceId = await sendRequest('/users/none');
  const [event] = await control<{ id: string }[]>('GET', '/events');
  const details = [
    { path: `/requests/${traceId}`, text: 'How to make it succeed' },
    { path: `/events/event/${event?.id}`, text: 'Advance the clock to this attempt' },
  ];
  for (const { path, text, prepare } of [...PAGES, ...details] as CheckedPage[]) {
    await goto(path);
    await getMain(page).getByText(text).first().waitFor();
    await prepare?.(page);
    await assertAccessible(page);
  }
});
