import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKit } from '../kit.ts';

interface Page {
  readonly entities: readonly { readonly id: string }[];
  readonly cursor: string | null;
}

/** Reads all pages of an account's lists. */
async function readLists(fill: string) {
  await using kit = await createKit({ port: 0, set: { 'lists.page-fill': fill, 'lists.cursor.format': 'reserved-characters' } });
  const accountId = await kit.id('accounts', 'northwind');
  const { full } = await kit.tokens();
  const sizes: number[][] = [];
  const ids: string[] = [];
  for (const path of ['/users', '/experience/assignments', '/experience/connections']) {
    const pages: Page[] = [];
    do {
      const cursor = pages.at(-1)?.cursor;
      const query = new URLSearchParams({ accountId, pageSize: '5', ...(cursor && { cursor }) });
      const response = await fetch(`${kit.url}${path}?${query}`, { headers: { authorization: `Bearer ${full}` } });
      pages.push((await response.json()) as Page);
    } while (pages.at(-1)?.cursor !== null);
    sizes.push(pages.map(({ entities }) => entities.length));
    ids.push(...pages.flatMap(({ entities }) => entities.map(({ id }) => id)));
  }
  return { sizes, ids };
}

test('however many items the pages contain, following the cursors returns each item once', async () => {
  const full = await readLists('full');
  const short = await readLists('short');
  const empty = await readLists('empty');
  assert.deepEqual([short.ids, empty.ids], [full.ids, full.ids]);
  const longest = (sizes: readonly number[][]) => Math.max(...sizes.flat());
  assert.deepEqual([longest(full.sizes), longest(short.sizes), longest(empty.sizes)], [5, 3, 3]);
  assert.deepEqual(
    empty.sizes.map(([first, second]) => [first, second! > 0]),
    [
      [0, true],
      [0, true],
      [0, true],
    ],
  );
});
