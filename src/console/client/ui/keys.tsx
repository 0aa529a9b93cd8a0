import { useEffect, useState } from 'preact/hooks';
import { Dialog } from './dialog.tsx';
import { Facts } from './page.tsx';
import { runAction, undoOwn } from './toast.ts';

const isInInput = ({ target }: KeyboardEvent) => target instanceof Element && target.closest('input, select, textarea, dialog') !== null;

/** Whether a key without a modifier was pressed outside of inputs and dialogs. */
export const isPlainKey = (event: KeyboardEvent): boolean =>
  !isInInput(event) && !event.ctrlKey && !event.metaKey && !event.altKey && !event.defaultPrevented;

const KEYS = {
  'Ctrl K or ⌘K': 'Search everything',
  '/': 'Filter the list',
  '↑ ↓ j k': 'Previous or next row of a list. Also Page Up, Page Down, Home and End',
  Enter: 'Open the row',
  Esc: 'Close the detail, and return to its row',
  'Ctrl Z or ⌘Z': 'Undo the last change of this page',
  '?': 'Show these keys',
};

/** Handles the keys that work on every page. `?` opens their description. */
export function PageKeys() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      const isUndo = event.key === 'z' && (event.ctrlKey || event.metaKey) && !isInInput(event);
      if (!isUndo && !isPlainKey(event)) return;
      const filter = document.querySelector<HTMLElement>('search :is(input, select)');
      if (isUndo) void runAction(undoOwn);
      else if (event.key === '?') setOpen(true);
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
