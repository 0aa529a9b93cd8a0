import { effect, signal } from '@preact/signals';

const KEY = 'xpk-console-theme';
const preferred = matchMedia('(prefers-color-scheme: dark)');

/** Without a choice, the theme of the system is used. */
const chosen = signal<'light' | 'dark' | undefined>(stored());
export const theme = signal<'light' | 'dark'>('light');

function update(): void {
  theme.value = chosen.value ?? (preferred.matches ? 'dark' : 'light');
  document.documentElement.dataset.theme = theme.value;
}
preferred.addEventListener('change', update);
effect(update);

export function toggleTheme(): void {
  chosen.value = theme.value === 'dark' ? 'light' : 'dark';
  try {
    localStorage.setItem(KEY, chosen.value);
  } catch {
    // The browser forbids storage, so the choice lasts until the next reload.
  }
}

function stored(): 'light' | 'dark' | undefined {
  try {
    const value = localStorage.getItem(KEY);
    return value === 'light' || value === 'dark' ? value : undefined;
  } catch {
    return undefined;
  }
}
