import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import { callControl } from '../control/testing/call.ts';
import { createKit, type Kit, type KitHooks, type KitSettings } from '../kit.ts';
import { launchChromium } from '../oauth/server/testing/chromium.ts';

let browser: Promise<Browser> | undefined;

/** Call this function once in each test file that opens the console. */
export function closeBrowserAfterTests(): void {
  after(async () => {
    await (await browser)?.close();
    browser = undefined;
  });
}

export interface OpenConsole extends AsyncDisposable {
  readonly kit: Kit;
  readonly page: Page;
  readonly messages: readonly string[];
  /** Calls the control API. The call must succeed. */
  control<Body>(method: string, path: string, body?: unknown): Promise<Body>;
  /** Creates an account and its connection, which publishes an event. Returns the connection's id. */
  connect(alias: string): Promise<string>;
  /** Sends a request to the service. Returns its trace id if the request is refused. */
  sendRequest(path: string, init?: RequestInit & { readonly token?: string }): Promise<string | undefined>;
  /** @param path with the query, such as `/requests?status=4xx` */
  goto(path: string): Promise<void>;
}

interface OpenConsoleOptions {
  readonly settings?: KitSettings;
  readonly hooks?: KitHooks;
  readonly browser?: BrowserContextOptions;
}

export async function openConsole(path = '/', { settings, hooks, browser: options }: OpenConsoleOptions = {}): Promise<OpenConsole> {
  browser ??= launchChromium();
  // Start the browser before the kit, because if the browser fails to start, an open kit would keep the process running.
  const context = await (await browser).newContext({
    viewport: WIDE_VIEWPORT,
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options,
  });
  const kit = await createKit({ port: 0, ...settings }, hooks);
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  const messages: string[] = [];
  // Chromium logs each error response, even if the page handles it.
  page.on('console', (message) => /^Failed to load resource: .* status of 4/.test(message.text()) || messages.push(message.text()));
  page.on('pageerror', (error) => messages.push(String(error)));
  const goto = async (to: string) => {
    await page.goto(`${kit.url}/_console${to}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  };
  await goto(path);
  const control = async <Body>(method: string, of: string, body?: unknown) => {
    const response = await callControl<Body>(kit.url, method, of, body);
    assert.ok(response.status < 400, `${method} ${of}: ${JSON.stringify(response)}`);
    return response.body;
  };
  return {
    kit,
    page,
    messages,
    goto,
    control,
    async connect(alias) {
      await control('POST', '/state/accounts', { alias: `account-${alias}`, name: `Account ${alias}` });
      const connection = { alias, account: `account-${alias}`, experience: 'concierge' };
      return (await control<{ id: string }>('POST', '/state/connections', connection)).id;
    },
    async sendRequest(to, { token = 'full', ...init } = {}) {
      const authorization = `Bearer ${(await kit.tokens())[token]}`;
      const headers = { authorization, ...(init.body !== undefined && { 'content-type': 'application/json' }) };
      const response = await fetch(kit.url + to, { ...init, headers });
      return ((await response.json()) as { traceId?: string }).traceId;
    },
    async [Symbol.asyncDispose]() {
      await context.close();
      await kit.close();
    },
  };
}

const WIDE_VIEWPORT = { width: 1280, height: 800 };
const NARROW_VIEWPORT = { width: 390, height: 844 };

const AXE_SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Lists only violations. Loads no style sheets, because no enabled rule needs them. */
const RUN_AXE = "axe.run({ resultTypes: ['violations'], preload: false }).then(({ violations }) => violations)";

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Not all combinations are tested, because the colours do not depend on the width. */
const TESTED_LOOKS = [
  { colorScheme: 'light', viewport: WIDE_VIEWPORT },
  { colorScheme: 'dark', viewport: NARROW_VIEWPORT },
] as const;

export async function assertAccessible(page: Page): Promise<void> {
  // The page's policy forbids injected scripts, but the debugger may evaluate scripts.
  if (await page.evaluate('!window.axe')) await page.evaluate(AXE_SOURCE);
  for (const { colorScheme, viewport } of TESTED_LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(viewport);
    await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
    // Some elements get the new theme's colours only in the next frame.
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    const violations = (await page.evaluate(RUN_AXE)) as Violation[];
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    assert.deepEqual(
      serious.map(({ id, nodes }) => [id, ...nodes.map(({ html, failureSummary }) => `${html}\n${failureSummary}`)]),
      [],
      `${page.url()}, ${colorScheme}, ${viewport.width} px`,
    );
    const [content, width] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [number, number];
    assert.ok(content <= width, `At ${viewport.width} px, the page is ${content} px wide.`);
  }
}
