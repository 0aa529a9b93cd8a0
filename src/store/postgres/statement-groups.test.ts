import assert from 'node:assert/strict';
import { test } from 'node:test';
import type pg from 'pg';
import { createStatementGroups } from './statement-groups.ts';

/** Answers a statement when `answers` has its text. */
function createGroups(answers: Readonly<Record<string, Promise<unknown>>>) {
  const sent: string[][] = [];
  let released = 0;
  const connect = async () => {
    const texts: string[] = [];
    sent.push(texts);
    const query = async ({ text }: { text: string }) => {
      texts.push(text);
      await answers[text];
      return { rows: [text] };
    };
    return { query, release: () => released++ } as unknown as pg.PoolClient;
  };
  return { ...createStatementGroups(connect), sent, countReleased: () => released };
}

test('statements that arrive together use one connection, and equal reads are one statement', async () => {
  const { read, sent, countReleased } = createGroups({});
  const results = await Promise.all([read('a', []), read('b', []), read('a', [])]);
  assert.deepEqual(
    results.flatMap(({ rows }) => rows),
    ['a', 'b', 'a'],
  );
  assert.deepEqual(sent, [['a', 'b']]);
  await new Promise(setImmediate);
  assert.equal(countReleased(), 1);
});

test('later statements use another connection if one is slow', async () => {
  const slow = Promise.withResolvers<void>();
  const { read, sent, countReleased } = createGroups({ slow: slow.promise });
  const waiting = read('slow', []);
  while (sent.length === 0) await new Promise(setImmediate);
  assert.deepEqual((await read('fast', [])).rows, ['fast']);
  assert.deepEqual(sent, [['slow'], ['fast']]);
  slow.resolve();
  assert.deepEqual((await waiting).rows, ['slow']);
  await new Promise(setImmediate);
  assert.equal(countReleased(), 2);
});

test('if no connection can be opened, each statement fails once', async () => {
  let attempts = 0;
  const { read } = createStatementGroups(async () => {
    attempts++;
    throw new Error('no connection');
  });
  const settled = await Promise.allSettled([read('a', []), read('b', [])]);
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(attempts, 1);
});
