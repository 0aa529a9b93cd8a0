import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Dialog } from './dialog.tsx';
import { ErrorNote } from './page.tsx';

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
