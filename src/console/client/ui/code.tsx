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

const TOKEN_PATTERN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Longer text is not coloured, because colouring is slow. */
const MAX_COLOURED_CHARACTERS = 20_000;

/** @param label the accessible name, such as `request body` */
export function Json({ value, label }: { value: unknown; label: string }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <Code text={text} label={label}>
      {typeof value === 'string' || text.length > MAX_COLOURED_CHARACTERS ? text : colourTokens(text)}
    </Code>
  );
}

function colourTokens(text: string): ComponentChildren {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN_PATTERN)) {
    const [whole, string, colon = ''] = match;
    const tone = string === undefined ? 'warn' : colon ? 'info' : 'good';
    const token = (
      <span key={match.index} data-tone={tone}>
        {string ?? whole}
      </span>
    );
    parts.push(text.slice(end, match.index), token, colon);
    end = match.index + whole.length;
  }
  return [...parts, text.slice(end)];
}
