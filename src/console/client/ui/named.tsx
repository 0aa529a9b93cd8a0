import type { ComponentChildren } from 'preact';
import { getName } from '../kit/names.ts';
import { CopyButton } from './code.tsx';
import { buildHref } from './href.ts';

const UUIDS = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/i;
/** The end of an id, because ids of the same time begin with the same digits. */
const shorten = (id: string) => `…${id.slice(-6)}`;

/** A text in which the names of entities replace their ids. */
export function Named({ text }: { text: string }): ComponentChildren {
  return text.split(UUIDS).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={index} class="name" title={part}>
        {getName(part.toLowerCase())?.name ?? shorten(part)}
      </span>
    ),
  );
}

export const isNarrow = matchMedia('(width < 48rem)').matches;
const MAX_LENGTH = isNarrow ? 21 : 72;
const END_LENGTH = isNarrow ? 12 : 36;

/** Returns a path with names for ids. If it is too long, its middle is omitted, because the end says most. */
export function formatPath(path: string): string {
  const text = path
    .split(UUIDS)
    .map((part, index) => (index % 2 === 0 ? part : (getName(part.toLowerCase())?.name ?? shorten(part))))
    .join('');
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - END_LENGTH - 1)}…${text.slice(-END_LENGTH)}`;
}

/** An entity's name with a link to the entity, and a button that copies the id. */
export function EntityName({ id }: { id: string }) {
  const found = getName(id);
  return (
    <span class="copy-line">
      {found ? (
        <a href={buildHref(`/world/${found.collection}/${encodeURIComponent(id)}`)} title={id}>
          {found.name}
        </a>
      ) : (
        <code title={id}>{UUIDS.test(id) ? shorten(id) : id}</code>
      )}
      <CopyButton text={id} label={`id of ${found?.name ?? id}`} />
    </span>
  );
}
