import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { runAction, showToast } from './toast.ts';

interface CopyProps {
  readonly text: string | (() => Promise<string>);
  /** The name of the copied text, such as `token full`. */
  readonly label: string;
  readonly children?: string;
}

export function CopyButton({ text, label, children }: CopyProps) {
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
    <Button
      class="quiet"
      icon={isCopied ? 'check' : 'copy'}
      label={`Copy ${label}`}
      title={`Copy ${label}`}
      onClick={() => void runAction(copyText)}
    >
      {children}
    </Button>
  );
}

export const CopyLine = ({ text, label }: { text: string; label: string }) => (
  <span class="copy-line">
    <code>{text}</code>
    <CopyButton text={text} label={label} />
  </span>
);

/** @param label the accessible name, such as `request body` */
export const Code = ({ text, label, children = text }: { text: string; label: string; children?: ComponentChildren }) => (
  <div class="code">
    <CopyButton text={text} label={label} />
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard has to scroll the block */}
    {/* biome-ignore lint/a11y/useSemanticElements: the block is not a section of the page */}
    <pre role="region" tabIndex={0} aria-label={label}>
      <code>{children}</code>
    </pre>
  </div>
);

/** @param label the accessible name, such as `request body` */
export const Json = ({ value, label }: { value: unknown; label: string }) => (
  <Code text={typeof value === 'string' ? value : JSON.stringify(value, null, 2)} label={label} />
);
