import { useEffect, useState } from 'preact/hooks';
import { Button } from './button.tsx';
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

/** Focuses the link of the previous or next row in a table. Lists that fill the window handle their keys themselves. */
function moveToRow(key: string): boolean {
  const links = [...document.querySelectorAll<HTMLElement>('.table-frame td:first-child a')];
  const current = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement));
  const by = { j: 1, k: -1, ...(current >= 0 && { ArrowDown: 1, ArrowUp: -1 }) }[key];
  const link = by === undefined ? undefined : links[current < 0 ? 0 : current + by];
  link?.focus();
  return link !== undefined;
}

/** Handles the keys that work on every page. `?` and the button open their description. */
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
      else if (!moveToRow(event.key)) return;
      event.preventDefault();
    };
    addEventListener('keydown', handleKey);
    return () => removeEventListener('keydown', handleKey);
  }, []);
  return (
    <>
      <Button class="quiet wide-only" onClick={() => setOpen(true)}>
        Keys <kbd>?</kbd>
      </Button>
      {isOpen && (
        <Dialog title="Keys" onClose={() => setOpen(false)}>
          <Facts of={KEYS} />
        </Dialog>
      )}
    </>
  );
}
