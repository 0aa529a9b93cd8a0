import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ListLengths, traverse } from './listing.ts';
import type { Look } from './looks.ts';
import type { Side } from './side.ts';

const look: Look = { operation: 'getUsers', request: { query: { accountId: '«account 1»' } }, isList: true };

/** A server with a list of `length` users. @param asked the sizes of the requested pages */
const createServer = (length: number, asked: number[]) =>
  ({
    call: async (_, { query: { pageSize = 100, cursor = 0 } = {} }) => {
      const [size, start] = [Number(pageSize), Number(cursor)];
      asked.push(size);
      const entities = Array.from({ length: Math.min(size, length - start) }, (_, index) => ({ id: String(start + index) }));
      const next = start + size;
      return { status: 200, text: '', json: { entities, pageSize: size, cursor: next < length ? String(next) : null } };
    },
  }) as Pick<Side, 'call'> as Side;

async function countPages(lengths: ListLengths, length: number, wanted: number | undefined): Promise<number> {
  if (lengths.isTooLong(look)) return 0;
  const asked: number[] = [];
  const pageSize = lengths.choosePageSize(look, wanted);
  const query = { ...look.request.query, ...(pageSize !== undefined && { pageSize }) };
  const listing = await traverse(createServer(length, asked), 'getUsers', { query, as: 'manager', form: 'flat' });
  assert.ok(!('status' in listing));
  assert.equal(listing.isWhole, listing.entities.length === length);
  lengths.record(look, pageSize, listing);
  return asked.length;
}

test('a short list is read with a page for each item', async () => {
  const lengths = new ListLengths();
  assert.deepEqual([await countPages(lengths, 5, 1), await countPages(lengths, 5, 1), await countPages(lengths, 5, undefined)], [5, 5, 1]);
});

test('a list of hundreds has few pages after the first time', async () => {
  const lengths = new ListLengths();
  assert.deepEqual([await countPages(lengths, 400, 1), await countPages(lengths, 400, 1), await countPages(lengths, 400, 2)], [50, 4, 4]);
  const others = new ListLengths();
  assert.deepEqual([await countPages(others, 400, undefined), await countPages(others, 400, 1)], [4, 10]);
});

test('a list of thousands is given up', async () => {
  const lengths = new ListLengths();
  assert.deepEqual([await countPages(lengths, 9000, undefined), await countPages(lengths, 9000, 1)], [50, 0]);
});
