import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';

export const main = (page: Page) => page.getByRole('main');
export const button = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true });
export const toast = (page: Page, text: string | RegExp) => page.locator('.toast').getByText(text).first().waitFor();

/** Presses the button of the open dialog that asks before an action. */
export const confirm = (page: Page, action: string) => page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();

export async function get<Body>(url: string, path: string): Promise<Body> {
  return (await (await fetch(`${url}/_control${path}`)).json()) as Body;
}

export async function write(url: string, method: string, path: string, body: object): Promise<void> {
  const response = await fetch(`${url}/_control${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, `${path}: ${response.status}`);
}
