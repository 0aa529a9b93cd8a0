import packaged, { inflate, setupLambdaEnvironment } from '@sparticuz/chromium';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/**
 * What the packaged browser is started with elsewhere, made for functions in the cloud: one process, which ends with its first page, and no web security. Here
 * a browser is wanted that keeps to cookies, origins and policies as those of people do.
 */
const ARGS = ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'];

/** A real Chromium: CHROMIUM_PATH, else the one that npm ci brought, else Playwright's own. @throws where there is none, and says what to do. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: await executable(), args: ARGS, headless: true });
}
