import { toPrintable } from '../printable.ts';

/** Markup that can be inserted into a page safely. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type MarkupPart = string | number | Markup | undefined | readonly MarkupPart[];

/** Escapes all values except `Markup`, because values may come from the target. */
export function html(strings: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup {
  return new Markup(strings.map((text, index) => text + (index < parts.length ? renderPart(parts[index]) : '')).join(''));
}

function renderPart(part: MarkupPart): string {
  if (part === undefined) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(renderPart).join('');
  return toPrintable(String(part)).replace(/[&<>"']/g, (character) => HTML_ENTITIES[character] as string);
}

const HTML_ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
