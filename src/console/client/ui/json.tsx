import type { ComponentChildren } from 'preact';
import { Code } from './code.tsx';

const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Above this size, colours would cost more than they help. */
const COLOURED_CHARACTERS = 20_000;

/** Shows a JSON value, or a text that is not JSON. @param label what it is, such as `request body` */
export function Json({ value, label }: { value: unknown; label: string }) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  return (
    <Code text={text} label={label}>
      {typeof value === 'string' || text.length > COLOURED_CHARACTERS ? text : coloured(text)}
    </Code>
  );
}

function coloured(text: string): ComponentChildren {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
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
