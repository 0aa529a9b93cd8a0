// Takes the screenshots in docs/: the login pages, the console, and a report with a broken rule.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions } from '@playwright/test';
import { createKit } from '../../src/kit.ts';
import { launchChromium } from '../../src/oauth/server/testing/chromium.ts';
import { type Changes, createFlow } from '../../src/testing/oauth-flow.ts';

const pictures: readonly { file: string; changes?: Changes; options: BrowserContextOptions }[] = [
  { file: 'docs/login-light.png', options: { colorScheme: 'light' } },
  { file: 'docs/login-dark.png', options: { colorScheme: 'dark' } },
  { file: 'docs/login-refused.png', changes: { redirect_uri: 'http://127.0.0.1:3000/elsewhere' }, options: { colorScheme: 'light' } },
];

await using kit = await createKit({ port: 0, login: 'page' });
await using chromium = await launchChromium();
for (const { file, changes, options } of pictures) {
  const page = await chromium.newPage({ viewport: { width: 672, height: 320 }, ...options });
  await page.goto(createFlow(kit.authUrl).authorizeUrl(changes));
  saveScreenshot(file, await page.screenshot({ fullPage: true }));
  await page.close();
}
await captureConsole();
await captureReport();

async function captureConsole(): Promise<void> {
  const headers = { authorization: `Bearer ${(await kit.tokens()).full}` };
  const getFromControl = (path: string) => fetch(kit.url + path, { headers });
  for (const path of ['/users/2065550001', '/experience-connections?telephoneNumber=%2B12065550100', '/experience-assignments'])
    await getFromControl(path);
  const { traceId } = (await (await getFromControl('/users/aLoNe_19-05')).json()) as { traceId: string };
  for (const [file, path, colorScheme] of [
    ['docs/console-request.png', `requests/${traceId}`, 'light'],
    ['docs/console-world.png', 'world/connections', 'dark'],
  ] as const) {
    const page = await chromium.newPage({ viewport: { width: 1280, height: 760 }, colorScheme });
    await page.goto(`${kit.url}/_console/${path}`);
    await page.locator('main table, main pre').first().waitFor();
    saveScreenshot(file, await page.screenshot());
    await page.close();
  }
}

async function captureReport(): Promise<void> {
  const body = { fault: 'response', operation: 'getExperienceConnection', status: 200, body: { id: 4711 } };
  await fetch(`${kit.url}/_control/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  using folder = mkdtempDisposableSync(join(tmpdir(), 'xpk-report-'));
  const rules = ['--rule', 'connections.get.*', 'connections.list.*', 'assignability.*'];
  const args = ['src/cli/xpk.cjs', 'conformance', '--base-url', kit.url, '--no-own-world', '--report-dir', folder.path, ...rules];
  await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit');
  const page = await chromium.newPage({ viewport: { width: 1024, height: 760 } });
  await page.goto(pathToFileURL(join(folder.path, 'index.html')).href);
  saveScreenshot('docs/report.png', await page.screenshot());
}

function saveScreenshot(file: string, picture: Buffer): void {
  writeFileSync(file, picture);
  console.log(`${file}: ${Math.ceil(picture.length / 1024)} KiB`);
}
