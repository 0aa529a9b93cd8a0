import type { Page } from '@playwright/test';

export const getMain = (page: Page) => page.getByRole('main');
export const getButton = (page: Page, name: string) => getMain(page).getByRole('button', { name, exact: true });
export const getToast = (page: Page, text: string | RegExp) => page.locator('.toast').getByText(text).first().waitFor();

export const confirmAction = (page: Page, action: string) =>
  page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click();
