import { useEffect, useState } from 'preact/hooks';
import { Dialog } from './dialog.tsx';
import { Facts } from './page.tsx';

/** Whether a key without a modifier was pressed outside of inputs and dialogs. */
export function isPlainKey({ target, ctrlKey, metaKey, altKey, defaultPrevented }: KeyboardEvent): boolean {
  const isInput = target instanceof Element && target.closest('input, select, textarea, dialog') !== null;
  return !isInput && !ctrlKey && !metaKey && !altKey && !defaultPrevented;
}

const KEYS = {
  'Ctrl K or ⌘K': 'Search everything',
  '/': 'Filter the list',
  '↑ ↓ j k': 'Previous or next row of a list. Also Page Up, Page Down, Home and End',
  Enter: 'Open the row',
  Esc: 'Close the detail, and return to its row',
  '?': 'Show these keys',
};

/** Handles the keys that work on every page. `?` opens their description. */
export function PageKeys() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (!isPlainKey(event)) return;
      const filter = document.querySelector<HTMLElement>('search :is(input, select)');
      if (event.key === '?') setOpen(true);
      else if (event.key === '/' && filter) filter.focus();
      else return;
      event.preventDefault();
    };
    addEventListener('keydown', handleKey);
    return () => removeEventListener('keydown', handleKey);
  }, []);
  if (!isOpen) return null;
  return (
    <Dialog title="Keys" onClose={() => setOpen(false)}>
      <Facts of={KEYS} />
    </Dialog>
  );
}
