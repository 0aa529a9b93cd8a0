import type { ComponentChildren, VNode } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Form } from './form.tsx';
import type { IconName } from './icon.tsx';
import { finishOperation, type Message } from './toast.ts';

/** Render it only while it is open. */
export function Dialog({ title, onClose, children }: { title: string; onClose?: () => void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // A layout effect's cleanup runs as soon as the dialog is removed.
  useLayoutEffect(() => {
    const [opener, element] = [document.activeElement, dialog.current];
    element?.showModal();
    // The dialog itself would focus the button that closes it.
    element?.querySelector<HTMLElement>('input, select, textarea')?.focus();
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
        {onClose && <Button class="quiet" icon="close" label="Close" onClick={onClose} />}
      </header>
      {children}
    </dialog>
  );
}

interface DialogButtonProps {
  /** The dialog's title. By default, it asks the question that the button's accessible name implies. */
  readonly title?: string;
  readonly class?: 'primary' | 'danger';
  readonly icon?: IconName;
  /** The button's accessible name, if its text alone is ambiguous. */
  readonly label?: string;
  readonly text: string;
}

export function DialogButton(props: DialogButtonProps & { children: (close: () => void) => VNode }) {
  const { text, label, title = `${label ?? text}?`, icon, class: kind, children } = props;
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button class={kind} icon={icon} label={label} onClick={() => setOpen(true)} text={text} />
      {isOpen && (
        <Dialog title={title} onClose={close}>
          {children(close)}
        </Dialog>
      )}
    </>
  );
}

interface ConfirmationProps<Result> {
  /** The text of the button that performs the action. By default, it is the text of the button that opens the dialog. */
  readonly action?: string;
  readonly warning: string;
  /** Performs the action. If it fails, the dialog shows the error and stays open. */
  readonly run: () => Promise<Result>;
  readonly done?: Message<Result>;
}

export const ConfirmButton = <Result,>(props: DialogButtonProps & ConfirmationProps<Result>) => (
  <DialogButton {...props}>{(close) => <Confirmation {...props} action={props.action ?? props.text} onClose={close} />}</DialogButton>
);

export const Confirmation = <Result,>({
  action,
  warning,
  run,
  onClose,
  done,
}: ConfirmationProps<Result> & { action: string; onClose: () => void }) => (
  <Form fields={{}} action={action} buttonClass="danger" onSubmit={async () => finishOperation(await run(), done)} onClose={onClose}>
    <p>{warning}</p>
  </Form>
);
