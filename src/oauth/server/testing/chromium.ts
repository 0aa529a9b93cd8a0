import { existsSync } from 'node:fs';
import { type Browser, chromium } from '@playwright/test';
import packaged from '@sparticuz/chromium';

/**
 * Not the arguments of the package, which are for cloud functions: they disable web security and end the process with its first page. These tests need
 * the cookies, origins and policies of an ordinary browser.
 */
const ARGS = ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none', '--disable-lcd-text'];

/** Starts a headless Chromium. @throws if there is none, with instructions. */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: await executable(), args: ARGS, headless: true });
}

/** CHROMIUM_PATH, otherwise the package from npm (Linux only), otherwise the download of Playwright. */
async function executable(): Promise<string> {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH !== undefined) {
    if (!existsSync(CHROMIUM_PATH)) throw new Error(`CHROMIUM_PATH is ${CHROMIUM_PATH}, which does not exist.`);
    return CHROMIUM_PATH;
  }
  if (process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)) return packaged.executablePath();
  const own = chromium.executablePath();
  if (existsSync(own)) return own;
  throw new Error(
    `There is no Chromium for ${process.platform} ${process.arch}: set CHROMIUM_PATH to one, or run npx playwright install chromium.`,
  );
}
