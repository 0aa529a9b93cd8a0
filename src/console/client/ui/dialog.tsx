import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { ErrorNote } from './page.tsx';

/** Render it only while it is open. */
export function Dialog({ title, onClose, children }: { title: string; onClose?: () => void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // A layout effect's cleanup runs as soon as the dialog is removed.
  useLayoutEffect(() => {
    const [opener, element] = [document.activeElement, dialog.current];
    element?.showModal();
    return () => {
      // The opener cannot get the focus while the dialog is open.
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
      <header class="row between nowrap">
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

interface ConfirmDialogProps {
  readonly title: string;
  readonly action: string;
  readonly children: ComponentChildren;
  /** Performs the action. If it fails, the dialog shows the error and stays open. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

export function ConfirmDialog({ title, action, children, onConfirm, onClose }: ConfirmDialogProps) {
  const [error, setError] = useState<Error>();
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="stack form">
        <p>{children}</p>
        {error && <ErrorNote error={error} />}
        <div class="row">
          <button type="button" class="danger" onClick={() => void onConfirm().then(onClose, setError)}>
            {action}
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </div>
    </Dialog>
  );
}
