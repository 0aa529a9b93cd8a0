import { existsSync } from 'node:fs';
import { type Browser, chromium } from '@playwright/test';
import packaged from '@sparticuz/chromium';

/**
 * Not the arguments of the package: it is made for functions in the cloud, and runs without web security in one process that ends with its first page. Here
 * a browser is wanted that keeps to cookies, origins and policies as those of people do.
 */
const ARGS = ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none', '--disable-lcd-text'];

/** A real Chromium, without a window. @throws where there is none: what was looked for, and what to do. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: await executable(), args: ARGS, headless: true });
}

/** CHROMIUM_PATH; else the one that npm ci brought, which is for Linux; else the one that Playwright was told to download. */
async function executable(): Promise<string> {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH !== undefined) {
    if (!existsSync(CHROMIUM_PATH)) throw new Error(`CHROMIUM_PATH names ${CHROMIUM_PATH}, and there is no such file.`);
    return CHROMIUM_PATH;
  }
  if (process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)) return packaged.executablePath();
  const own = chromium.executablePath();
  if (existsSync(own)) return own;
  throw new Error(
    `There is no Chromium for ${process.platform} ${process.arch}: set CHROMIUM_PATH to one, or run npx playwright install chromium.`,
  );
}
