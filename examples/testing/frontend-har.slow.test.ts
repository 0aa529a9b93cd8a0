import assert from 'node:assert/strict';
import { mkdtempDisposableSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { listVerdicts, runXpkInProcess } from '../../src/cli/conformance/testing/run-xpk.ts';
import { createKit } from '../../src/kit.ts';
import { launchChromium } from '../../src/oauth/server/testing/chromium.ts';
import { listen } from '../../src/store/testing/listen.ts';

const { createHandler } = await import(String(new URL('../frontend/server.mjs', import.meta.url)));

/** A kit does not record the headers of its own responses. */
const RESPONSE_HEADERS = ['auth.challenge', 'http.bodies-are-json', 'http.problem.content-type'];
/**
 * Chromium does not report the body of a request that `fetch` gets as a `Request`, which openapi-fetch creates. The application's server, not
 * the browser, exchanges the codes for tokens.
 */
const UNSEEN =
  /^(assignments\.create\.(duplicate-refused|echo)|client\.read-only-fields-not-sent|auth\.token\.expired|oauth\.(pkce|token)\..*|client\.(authentication|grants-used-once|pkce|scopes-requested|token-request|tokens)(\..*)?)$/;

/** Uses the example's page as its own tests do. */
async function usePage(page: Page, pageUrl: string, expire: () => Promise<unknown>): Promise<void> {
  const click = (name: string) => page.getByRole('button', { name }).first().click();
  const expectMessage = (text: string) => page.getByRole('alert').getByText(text).waitFor();
  const assign = async (number: string, message: string) => {
    await page.getByLabel('Number to assign').fill(number);
    await click('Assign');
    await expectMessage(message);
  };
  await page.goto(pageUrl);
  await click('Log in');
  await page.locator('tbody tr').nth(4).waitFor();
  await click('Show more');
  await page.locator('tbody tr').nth(6).waitFor();
  await click('Check');
  await expectMessage('This number can be assigned.');
  await assign('+12065550103', 'Assigned.');
  await click('Remove');
  await expectMessage('Removed.');
  await assign('+12065550104', 'Assigned.');
  await assign('+12065550104', '409 Conflict');
  await assign('12065550104', '422');
  await expire();
  await assign('+12065550105', 'Assigned.');
  await page.reload();
  await page.locator('tbody tr').nth(4).waitFor();
  await click('Log out');
  await page.getByLabel('Your telephone number').fill('+12065550159');
  await click('Log in');
  await expectMessage('The login was refused');
}

test("a HAR of the frontend example gives the findings that the kit's journal gives, except those that a browser does not see", async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'xpk-frontend-har-'));
  const file = join(folder.path, 'frontend.har');
  const server = createServer();
  await using listening = await listen(server);
  const pageUrl = listening.url;
  await using kit = await createKit({
    port: 0,
    login: 'auto',
    allowOrigin: [pageUrl],
    extend: { clients: { 'acme-web': { redirectUris: [`${pageUrl}/callback`] } } },
  });
  server.on('request', createHandler({ apiUrl: kit.url, authUrl: kit.authUrl, pageUrl }));
  const browser = await launchChromium();
  try {
    const context = await browser.newContext({ recordHar: { path: file, content: 'embed' } });
    await usePage(await context.newPage(), pageUrl, () => kit.clock.advance('2h'));
    // Writes the file.
    await context.close();
  } finally {
    await browser.close();
  }
  const compare = async (command: readonly string[], source: readonly string[]) => {
    const har = listVerdicts(await runXpkInProcess(command, ['--har', file]));
    const journal = listVerdicts(await runXpkInProcess(command, source));
    const ids = Object.keys(journal);
    assert.ok(!Object.values({ ...har, ...journal }).includes('failed'));
    const select = (found: typeof har, other: typeof har) => ids.filter((id) => found[id] !== other[id] && found[id] !== 'not-exercised');
    return {
      same: ids.filter((id) => har[id] === journal[id] && har[id] !== 'not-exercised').length,
      onlyHar: select(har, journal).sort(),
      onlyJournal: select(journal, har).filter((id) => !UNSEEN.test(id)),
    };
  };
  const service = await compare(['conformance'], ['--journal', kit.url]);
  assert.deepEqual([service.onlyHar, service.onlyJournal], [RESPONSE_HEADERS, []]);
  assert.ok(service.same > 25, `${service.same}`);
  const client = await compare(['check', 'client'], ['--url', kit.url]);
  assert.deepEqual([client.onlyHar, client.onlyJournal], [[], []]);
  assert.ok(client.same > 12, `${client.same}`);
});
