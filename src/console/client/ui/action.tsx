import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';
import { runAction } from './toast.tsx';

interface ActionProps {
  /** The returned text is shown as a message, like the message of an error. */
  readonly run: () => Promise<string | undefined>;
  readonly class?: 'primary' | 'danger' | 'quiet';
  readonly icon?: IconName;
  /** The accessible name, if the text alone is ambiguous. */
  readonly label?: string;
  readonly title?: string;
  readonly isDisabled?: boolean;
  readonly children?: ComponentChildren;
}

/** A button that ignores clicks while its action runs. Unlike a disabled button, it keeps the focus. */
export function Action({ run, class: kind, icon, label, title, isDisabled = false, children }: ActionProps) {
  const isRunning = useRef(false);
  const [isBusy, setBusy] = useState(false);
  async function runOnce(): Promise<void> {
    if (isDisabled || isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    await runAction(run);
    isRunning.current = false;
    setBusy(false);
  }
  return (
    <button
      type="button"
      class={kind}
      aria-label={label}
      title={title}
      aria-disabled={isDisabled || isBusy || undefined}
      onClick={() => void runOnce()}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
