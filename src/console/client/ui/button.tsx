import type { ComponentProps } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';
import { finishOperation, type Message, runAction } from './toast.ts';

export type ButtonProps = Omit<ComponentProps<'button'>, 'icon' | 'label'> & {
  readonly icon?: IconName | undefined;
  /** The accessible name, if the text alone is ambiguous. */
  readonly label?: string | undefined;
  readonly text?: string;
};

export const Button = ({ icon, label, text, children, ...attributes }: ButtonProps) => (
  <button type="button" aria-label={label} {...attributes}>
    {icon && <Icon name={icon} />}
    {text}
    {children}
  </button>
);

export const ButtonLink = ({ href, text }: { href: string; text: string }) => (
  <a class="button" href={href}>
    {text}
  </a>
);

interface ActionProps<Result> extends ButtonProps {
  readonly run: () => Promise<Result>;
  readonly done?: Message<Result>;
  readonly isDisabled?: boolean;
}

/** A button that ignores clicks while its action runs. Unlike a disabled button, it keeps the focus. */
export function Action<Result>({ run, done, isDisabled = false, ...button }: ActionProps<Result>) {
  const isRunning = useRef(false);
  const [isBusy, setBusy] = useState(false);
  async function runOnce(): Promise<void> {
    if (isDisabled || isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    await runAction(async () => finishOperation(await run(), done));
    isRunning.current = false;
    setBusy(false);
  }
  return <Button {...button} aria-disabled={isDisabled || isBusy || undefined} onClick={() => void runOnce()} />;
}
