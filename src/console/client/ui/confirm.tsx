import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from './dialog.tsx';
import { ErrorNote } from './page.tsx';

interface ConfirmProps {
  readonly title: string;
  /** The label of the button that confirms, such as Delete. */
  readonly action: string;
  /** What the action does. */
  readonly children: ComponentChildren;
  /** Performs the action. Its error is shown, and the dialog stays open. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before an action that cannot be undone. */
export function Confirm({ title, action, children, onConfirm, onClose }: ConfirmProps) {
  const [error, setError] = useState<Error>();
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="form">
        <p>{children}</p>
        {error && <ErrorNote error={error} />}
        <div class="actions">
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
