import { signal } from '@preact/signals';
import { Icon } from './icon.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'good' | 'warn' | 'bad';
}

const SHOWN_MS = 5000;
const toasts = signal<readonly Toast[]>([]);
let lastToastId = 0;

export function showToast(text: string, tone: Toast['tone'] = 'good'): void {
  const id = ++lastToastId;
  toasts.value = [...toasts.value.slice(-3), { id, text, tone }];
  setTimeout(() => dismissToast(id), SHOWN_MS);
}

/** Shows the text that the action returns, or the message of its error. */
export async function runAction(action: () => Promise<string | undefined>): Promise<void> {
  try {
    const text = await action();
    if (text !== undefined) showToast(text);
  } catch (error) {
    showToast((error as Error).message, 'bad');
  }
}

function dismissToast(id: number): void {
  toasts.value = toasts.value.filter((shown) => shown.id !== id);
}

export function Toasts() {
  return (
    <div class="stack toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, tone }) => (
        <div key={id} class="box toast" data-tone={tone}>
          <Icon name={tone === 'good' ? 'check' : 'alert'} />
          <p>{text}</p>
          <button type="button" class="quiet" aria-label="Dismiss the message" onClick={() => dismissToast(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
