import { useRef, useState } from 'preact/hooks';
import { Button, type ButtonProps } from './button.tsx';
import { finishOperation, type Outcome, runAction } from './toast.tsx';

interface ActionProps<Result> extends ButtonProps, Outcome<Result> {
  readonly run: () => Promise<Result>;
  readonly isDisabled?: boolean;
}

/** A button that ignores clicks while its action runs. Unlike a disabled button, it keeps the focus. */
export function Action<Result>({ run, reload, done, isDisabled = false, ...button }: ActionProps<Result>) {
  const isRunning = useRef(false);
  const [isBusy, setBusy] = useState(false);
  async function runOnce(): Promise<void> {
    if (isDisabled || isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    await runAction(async () => finishOperation(await run(), { reload, done }));
    isRunning.current = false;
    setBusy(false);
  }
  return <Button {...button} aria-disabled={isDisabled || isBusy || undefined} onClick={() => void runOnce()} />;
}
