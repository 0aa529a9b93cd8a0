import type { ComponentChildren, VNode } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';
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

interface ButtonProps {
  /** The dialog's title. */
  readonly title: string;
  readonly class?: 'primary' | 'danger';
  readonly icon?: IconName;
  /** The button's accessible name, if its text alone is ambiguous. */
  readonly label?: string;
  readonly text: string;
}

/** A button that opens a dialog. */
export function DialogButton({
  title,
  text,
  label,
  icon,
  class: kind,
  children,
}: ButtonProps & { children: (close: () => void) => VNode }) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <button type="button" class={kind} aria-label={label} onClick={() => setOpen(true)}>
        {icon && <Icon name={icon} />}
        {text}
      </button>
      {isOpen && (
        <Dialog title={title} onClose={close}>
          {children(close)}
        </Dialog>
      )}
    </>
  );
}

interface ConfirmationProps {
  /** The text of the button that performs the action. */
  readonly action: string;
  /** What the user loses. */
  readonly warning: string;
  /** Performs the action. If it fails, the dialog shows the error and stays open. */
  readonly run: () => Promise<void>;
}

export const ConfirmButton = (props: ButtonProps & ConfirmationProps) => (
  <DialogButton {...props}>{(close) => <Confirmation {...props} onClose={close} />}</DialogButton>
);

/** A dialog's content. */
export function Confirmation({ action, warning, run, onClose }: ConfirmationProps & { onClose: () => void }) {
  const [error, setError] = useState<Error>();
  return (
    <div class="stack form">
      <p>{warning}</p>
      {error && <ErrorNote error={error} />}
      <div class="row">
        <button type="button" class="danger" onClick={() => void run().then(onClose, setError)}>
          {action}
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </div>
  );
}
