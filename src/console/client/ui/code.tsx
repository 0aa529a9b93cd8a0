import type { ComponentChildren } from 'preact';
import { CopyButton } from './copy.tsx';

/** @param label the accessible name, such as `request body` */
export function Code({ text, label, children = text }: { text: string; label: string; children?: ComponentChildren }) {
  return (
    <div class="code">
      <CopyButton text={text} label={label} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard has to scroll the block */}
      {/* biome-ignore lint/a11y/useSemanticElements: the block is not a section of the page */}
      <pre role="region" tabIndex={0} aria-label={label}>
        <code>{children}</code>
      </pre>
    </div>
  );
}
