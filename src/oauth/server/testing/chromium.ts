import { existsSync } from 'node:fs';
import { type Browser, chromium, type LaunchOptions } from '@playwright/test';
import packaged from '@sparticuz/chromium';

/** Replaces the package's default arguments, because they are for cloud functions and disable web security. */
const CHROMIUM_ARGUMENTS = ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none', '--disable-lcd-text'];

/** @throws Error with instructions if no Chromium is installed */
export async function launchChromium(): Promise<Browser> {
  return chromium.launch(await getChromiumOptions());
}

/** @throws Error with instructions if no Chromium is installed */
export async function getChromiumOptions(): Promise<LaunchOptions> {
  return { executablePath: await findExecutable(), args: CHROMIUM_ARGUMENTS, headless: true };
}

async function findExecutable(): Promise<string> {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH !== undefined) {
    if (!existsSync(CHROMIUM_PATH)) throw new Error(`The file ${CHROMIUM_PATH} in CHROMIUM_PATH does not exist.`);
    return CHROMIUM_PATH;
  }
  if (process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)) return packaged.executablePath();
  const own = chromium.executablePath();
  if (existsSync(own)) return own;
  throw new Error(
    `No Chromium was found for ${process.platform} ${process.arch}. Set CHROMIUM_PATH to the path of a Chromium, or run npx playwright install chromium.`,
  );
}
