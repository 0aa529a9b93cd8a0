import assert from 'node:assert/strict';
import { test } from 'node:test';
import { must, RuleBroken } from '../../src/expect/rule-broken.ts';
import { createReport, runWithReport } from '../target/check-report.ts';
import { createAnswer } from '../target/testing/answer.ts';
import type { Client } from './api-client.ts';
import { failEndlessList, repeatIfBroken, requestAllPages } from './lists.ts';

const createId = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const createPageAnswer = (json: object) =>
  createAnswer({
    ...{ operationId: 'getUsers', url: `http://target.test/users?accountId=${createId(0)}`, json },
    headers: { 'content-type': 'application/json' },
  });

/** Creates a client for a list that has a further page after each page. */
function createClientOfLongList(entitiesOf: (page: number) => readonly object[]): Pick<Client, 'call'> {
  let page = 0;
  return {
    async call() {
      page += 1;
      return createPageAnswer({ entities: entitiesOf(page), cursor: `page-${page}`, pageSize: 1 });
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

test('a check of several pages that is broken only at first ends as not testable, and reports what was broken', async () => {
  const report = createReport();
  let runs = 0;
  const check = async () => must(++runs > 1, 'the pages contain all users');
  const client = { call: async () => createPageAnswer({ entities: [], cursor: null, pageSize: 1 }) };
  const checking = runWithReport(report, () => repeatIfBroken([client as Partial<Client> as Client, 'getUsers', {}], check));
  await assert.rejects(checking, (error) => !(error instanceof RuleBroken));
  assert.deepEqual([runs, report.withdrawn], [2, 'Expected that the pages contain all users.']);
});
