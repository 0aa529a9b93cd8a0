import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RuleBroken } from '../../src/expect/rule-broken.ts';
import { createAnswer } from '../target/testing/answer.ts';
import type { Client } from './api-client.ts';
import { failEndlessList, requestAllPages } from './lists.ts';

const createId = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Creates a client for a list that has a further page after each page. */
function createClientOfLongList(entitiesOf: (page: number) => readonly object[]): Pick<Client, 'call'> {
  let page = 0;
  return {
    async call() {
      page += 1;
      const json = { entities: entitiesOf(page), cursor: `page-${page}`, pageSize: 1 };
      return createAnswer({ headers: { 'content-type': 'application/json' }, json });
    },
  };
}

const requestLongList = (entitiesOf: (page: number) => readonly object[]) =>
  requestAllPages(createClientOfLongList(entitiesOf) as Client, 'getUsers', {}, failEndlessList);

test('a list with more pages than the suite can visit does not break a rule', () =>
  assert.rejects(
    requestLongList((page) => [{ id: createId(page), accountId: createId(0), createdAt: '2026-01-01T00:00:00Z' }]),
    (error) => !(error instanceof RuleBroken),
  ));

test('a list whose empty pages never end breaks a rule', () =>
  assert.rejects(
    requestLongList(() => []),
    RuleBroken,
  ));
