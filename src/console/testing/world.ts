import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';

export const getMain = (page: Page) => page.getByRole('main');
export const getButton = (page: Page, name: string) => getMain(page).getByRole('button', { name, exact: true });
export const getToast = (page: Page, text: string | RegExp) => page.locator('.toast').getByText(text).first().waitFor();

export const confirmAction = (page: Page, action: string) =>
  page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();

export async function getJson<Body>(url: string, path: string): Promise<Body> {
  return (await (await fetch(`${url}/_control${path}`)).json()) as Body;
}

export async function sendJson(url: string, method: string, path: string, body: object): Promise<void> {
  const response = await fetch(`${url}/_control${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, `${path}: ${response.status}`);
}
