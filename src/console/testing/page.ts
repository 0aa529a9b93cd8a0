import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';

export const getMain = (page: Page) => page.getByRole('main');
export const getButton = (page: Page, name: string) => getMain(page).getByRole('button', { name, exact: true });
export const getToast = (page: Page, text: string | RegExp) => page.locator('.toast').getByText(text).first().waitFor();

export const confirmAction = (page: Page, action: string) =>
  page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();

/** More presses than any page has focusable elements. */
const MAX_PRESSES = 200;

interface FocusableElement {
  readonly ownerDocument: { readonly activeElement: unknown };
}
// Tests are compiled without the DOM types.
const hasFocus = (element: unknown) => (element as FocusableElement).ownerDocument.activeElement === element;

export async function focusWithKey(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < MAX_PRESSES; presses++) {
    if (await target.evaluate(hasFocus)) return;
    await target.page().keyboard.press(key);
  }
  assert.fail(`${target} does not get the focus.`);
}

export async function pressWithFocus(target: Locator, key?: 'Shift+Tab'): Promise<void> {
  await focusWithKey(target, key);
  await target.page().keyboard.press('Enter');
}
