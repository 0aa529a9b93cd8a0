import { useState } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { showToast } from './toast.tsx';

/** @param label the name of the copied text, such as `token full` */
export function CopyButton({ text, label, children }: { text: string | (() => Promise<string>); label: string; children?: string }) {
  const [isCopied, setCopied] = useState(false);
  async function copyText() {
    const copied = typeof text === 'string' ? text : await text();
    await navigator.clipboard.writeText(copied).catch(() => {
      throw new Error('The browser does not allow the page to copy.');
    });
    setCopied(true);
    showToast(`Copied: ${label}`);
    setTimeout(() => setCopied(false), 1500);
  }
  return (
    <button
      type="button"
      class="quiet"
      aria-label={`Copy ${label}`}
      title={`Copy ${label}`}
      onClick={() => void copyText().catch((error: Error) => showToast(error.message, 'bad'))}
    >
      <Icon name={isCopied ? 'check' : 'copy'} />
      {children && <span>{children}</span>}
    </button>
  );
}

export function CopyLine({ text, label }: { text: string; label: string }) {
  return (
    <div class="copy-line">
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  );
}
