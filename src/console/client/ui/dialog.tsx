import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

/** A modal dialog. The browser keeps the focus in the dialog, and Escape closes it. Render it only while it is open. */
export function Dialog({ title, onClose, children }: { title: string; onClose?: () => void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // The cleanup of a layout effect runs as soon as the dialog is removed. The cleanup of other effects runs later.
  useLayoutEffect(() => {
    const [opener, element] = [document.activeElement, dialog.current];
    element?.showModal();
    return () => {
      // While the dialog is open, nothing outside the dialog can get the focus.
      element?.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <header class="card-head">
        <h2 id={id}>{title}</h2>
        {onClose && (
          <button type="button" class="quiet" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        )}
      </header>
      {children}
    </dialog>
  );
}
