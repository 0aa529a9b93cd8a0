import type { Answer } from '../target/exchange.ts';

/** An answer, and the id that was asked for: it may be repeated in the answer. */
export interface Asked {
  readonly answer: Answer;
  readonly id: string;
}

/**
 * By what a caller could tell the cause of `other` from that of `likes`: pointers into the body, and headers. Ids asked for are taken as one;
 * traceId and instance are each answer's own, and so is all in which two answers of the same cause differ from one another.
 *
 * @param likes two answers of one cause.
 */
export function telltales(likes: readonly [Asked, Asked], other: Asked): string[] {
  const [first, second] = [marksOf(likes[0]), marksOf(likes[1])];
  const marks = marksOf(other);
  const names = new Set([...first.keys(), ...second.keys(), ...marks.keys()]);
  return [...names].filter((name) => first.get(name) === second.get(name) && first.get(name) !== marks.get(name));
}

// Not the cause's but the connection's or the moment's.
const INCIDENTAL = /^(connection|keep-alive|date|age|content-length|transfer-encoding|set-cookie|etag|x-ratelimit-.*|ratelimit.*)$/;

function marksOf({ answer, id }: Asked): Map<string, string> {
  const marks = new Map([
    ['the status', String(answer.status)],
    ['the content type', answer.headers['content-type'] ?? ''],
  ]);
  for (const name of Object.keys(answer.headers)) if (!INCIDENTAL.test(name)) marks.set(`the header ${name}`, 'present');
  const same = (text: string) =>
    [id, encodeURIComponent(id)].reduce((rest, asked) => rest.replaceAll(new RegExp(escaped(asked), 'gi'), '{id}'), text);
  if (answer.json === undefined) marks.set('the body', same(answer.text));
  else collect(answer.json, '', (pointer, value) => marks.set(pointer, same(value)));
  return marks;
}

function collect(value: unknown, pointer: string, mark: (pointer: string, value: string) => void): void {
  if (pointer === '/traceId' || pointer === '/instance') return;
  const isLeaf = typeof value !== 'object' || value === null;
  mark(pointer, isLeaf ? JSON.stringify(value) : Array.isArray(value) ? 'array' : 'object');
  if (!isLeaf) for (const [name, member] of Object.entries(value)) collect(member, `${pointer}/${name}`, mark);
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
