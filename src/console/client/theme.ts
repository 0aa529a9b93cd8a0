import { effect, signal } from '@preact/signals';

const STORAGE_KEY = 'xpk-console-theme';
const preferredTheme = matchMedia('(prefers-color-scheme: dark)');

/** The default is the system theme. */
const chosenTheme = signal<'light' | 'dark' | undefined>(readStoredTheme());
export const theme = signal<'light' | 'dark'>('light');

function applyTheme(): void {
  theme.value = chosenTheme.value ?? (preferredTheme.matches ? 'dark' : 'light');
  document.documentElement.dataset.theme = theme.value;
}
preferredTheme.addEventListener('change', applyTheme);
effect(applyTheme);

export function toggleTheme(): void {
  chosenTheme.value = theme.value === 'dark' ? 'light' : 'dark';
  try {
    localStorage.setItem(STORAGE_KEY, chosenTheme.value);
  } catch {
    // The browser forbids storage, so the choice lasts until the next reload.
  }
}

function readStoredTheme(): 'light' | 'dark' | undefined {
  try {
    const value = localStorage.getItem(STORAGE_KEY);
    return value === 'light' || value === 'dark' ? value : undefined;
  } catch {
    return undefined;
  }
}
