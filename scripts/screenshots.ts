// Takes the pictures of the login pages that are in docs/, of a kit with the demo world.
import { writeFileSync } from 'node:fs';
import type { BrowserContextOptions } from '@playwright/test';
import { createKit } from '../src/kit.ts';
import { launchChromium } from '../src/oauth/server/testing/chromium.ts';
import { type Changes, flow } from '../src/oauth/server/testing/flow.ts';
import { withPalette } from './screenshots/palette-png.ts';

const pictures: readonly { file: string; changes?: Changes; options: BrowserContextOptions }[] = [
  { file: 'docs/login-light.png', options: { colorScheme: 'light' } },
  { file: 'docs/login-dark.png', options: { colorScheme: 'dark' } },
  { file: 'docs/login-refused.png', changes: { redirect_uri: 'http://127.0.0.1:3000/elsewhere' }, options: { colorScheme: 'light' } },
];

const kit = await createKit({ port: 0, login: 'page' });
const chromium = await launchChromium();
try {
  for (const { file, changes, options } of pictures) {
    const page = await chromium.newPage({ viewport: { width: 672, height: 320 }, ...options });
    await page.goto(flow(kit.authUrl).authorizeUrl(changes));
    const picture = withPalette(await page.screenshot({ fullPage: true }));
    writeFileSync(file, picture);
    await page.close();
    console.log(`${file}: ${Math.ceil(picture.length / 1024)} KiB`);
  }
} finally {
  await chromium.close();
  await kit.close();
}
