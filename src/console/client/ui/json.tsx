import type { ComponentChildren } from 'preact';
import { Code } from './code.tsx';

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
    const kind = string === undefined ? 'literal' : colon ? 'key' : 'string';
    const token = (
      <span key={match.index} class={`json-${kind}`}>
        {string ?? whole}
      </span>
    );
    parts.push(text.slice(end, match.index), token, colon);
    end = match.index + whole.length;
  }
  return [...parts, text.slice(end)];
}
