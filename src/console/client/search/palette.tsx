import { useEffect, useId, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { runAction } from '../ui/toast.ts';
import { Badge } from '../ui/values.tsx';
import { type Found, search } from './sources.ts';

const TYPING_PAUSE_MS = 150;

export function Search() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const openSearch = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', openSearch);
    return () => removeEventListener('keydown', openSearch);
  }, []);
  return (
    <>
      <Button class="muted search-button" icon="search" title="Search" onClick={() => setOpen(true)}>
        <span class="wide-only">Search</span> <kbd class="wide-only">{/Mac|iPhone|iPad/.test(navigator.platform) ? '⌘K' : 'Ctrl K'}</kbd>
      </Button>
      {isOpen && (
        <Dialog title="Search" onClose={() => setOpen(false)}>
          <SearchBox onClose={() => setOpen(false)} />
        </Dialog>
      )}
    </>
  );
}

function SearchBox({ onClose }: { onClose: () => void }) {
  const id = useId();
  const { route } = useLocation();
  const [text, setText] = useState('');
  const [found, setFound] = useState<readonly Found[]>([]);
  const [active, setActive] = useState(0);
  useEffect(() => {
    let isLatest = true;
    const timer = setTimeout(async () => {
      const results = await search(text);
      if (!isLatest) return;
      setFound(results);
      setActive(0);
    }, TYPING_PAUSE_MS);
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [text]);
  const open = ({ open: target }: Found) => {
    onClose();
    if (typeof target === 'string') route(target);
    else void runAction(target);
  };
  const handleKey = (event: KeyboardEvent) => {
    const chosen = found[active];
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by !== undefined && found.length > 0) {
      const next = (active + by + found.length) % found.length;
      setActive(next);
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter' && chosen) open(chosen);
    else return;
    event.preventDefault();
  };
  return (
    <div class="stack form">
      <input
        // The types demand a native list for this role.
        {...({ role: 'combobox', 'aria-expanded': true } as object)}
        aria-label="Search"
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${active}` : undefined}
        placeholder="Users, numbers, requests, events, rules, pages and commands"
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={handleKey}
      />
      <div class="results" role="listbox" aria-label="Results" id={id}>
        {found.map((each, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus
          <div
            key={index}
            id={`${id}-${index}`}
            class="row nowrap"
            role="option"
            aria-selected={index === active}
            onMouseMove={() => setActive(index)}
            onClick={() => open(each)}
          >
            <Badge>{each.kind}</Badge>
            <span class="fill">
              {each.label} <small>{each.note}</small>
            </span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p class="muted">Nothing was found.</p>}
    </div>
  );
}
