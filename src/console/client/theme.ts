import { computed, effect, signal } from '@preact/signals';
import { createStoredSignal } from './kit/storage.ts';

const darkQuery = matchMedia('(prefers-color-scheme: dark)');
const prefersDark = signal(darkQuery.matches);
darkQuery.addEventListener('change', ({ matches }) => {
  prefersDark.value = matches;
});

const chosenTheme = createStoredSignal<'light' | 'dark' | undefined>('xpk-console-theme', undefined);
export const theme = computed(() => chosenTheme.value ?? (prefersDark.value ? 'dark' : 'light'));
effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

export function toggleTheme(): void {
  chosenTheme.value = theme.value === 'dark' ? 'light' : 'dark';
}
