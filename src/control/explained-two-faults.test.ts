import assert from 'node:assert/strict';
import { after, before, beforeEach, mock, test } from 'node:test';
import { queryOf } from './explain/case.ts';
import { type Ask, type ExplainingKit, explainingKit } from './explain/testing/kit.ts';
import { A, account, C, experience, STAGE } from './explain/testing/refusals.ts';
import { ONE_CHANGE, twoFaults } from './explain/testing/two-faults.ts';
import { explainedWorld } from './explain/testing/world.ts';

// Wall time stands still: no rate is met.
mock.timers.enable({ apis: ['Date'], now: Date.now() });

let kit: ExplainingKit;
before(async () => {
  kit = await explainingKit();
});
after(() => kit.kit.close());
beforeEach(() => kit.control('POST', '/clock/advance', { by: 1000 }));

/** Is refused; the request that is proposed instead is sent and succeeds. @returns its path, and the text of the change. */
async function putRight(request: Ask, of = kit): Promise<{ path: string; text: string }> {
  await of.control('POST', '/clock/advance', { by: 1000 });
  const { traceId, status } = await of.ask(request);
  assert.equal(status, 400, request.path);
  const { change } = await of.explain(traceId);
  const path = change?.request?.path ?? '';
  assert.deepEqual([change?.tested, change?.succeeds, change?.status], [true, true, 200], `${request.path} ${JSON.stringify(change)}`);
  assert.equal((await of.ask({ ...request, path })).status, 200, path);
  return { path, text: change?.text ?? '' };
}

/** In how many parameters two queries differ. */
function places(one: string, other: string): number {
  const [a, b] = [queryOf(one), queryOf(other)];
  return new Set([...a.keys(), ...b.keys()].filter((name) => a.get(name) !== b.get(name))).size;
}

test('two faults of a query are put right together, with no more than two changes', async () => {
  for (const path of twoFaults) {
    const right = await putRight({ path });
    assert.ok(places(path, right.path) <= 2, `${path} ${right.text}`);
  }
});

test('a page size that is none is put right beside the filter that is missing', async () => {
  for (const list of [A, C, '/users'])
    for (const [sent, right] of [['0', '1'], ['999', list === '/users' ? '200' : '100'], ['abc'], ['']] as const) {
      const query = queryOf((await putRight({ path: `${list}?pageSize=${sent}` })).path);
      assert.ok(query.has('accountId'), list);
      if (right !== undefined) assert.equal(query.get('pageSize'), right);
    }
});

test('where one change is enough nothing more is proposed', async () => {
  for (const [path, text] of ONE_CHANGE) assert.equal((await putRight({ path })).text, text, path);
});

test('a name that was mistyped keeps its value, whatever is wrong beside it', async () => {
  const id = account('spare');
  for (const [path, wanted] of [
    [`${A}?acountId=${id}&pageSize=0`, `${A}?accountId=${id}&pageSize=1`],
    [`/users?acountId=${id}&sortBy=firstNam`, `/users?accountId=${id}&sortBy=firstName`],
    [`${C}?telephonNumber=%2B12065550102&pageSize=0`, `${C}?telephoneNumber=%2B12065550102&pageSize=1`],
  ] as const)
    assert.equal((await putRight({ path })).path, wanted);
});

test('two parameters that were given twice are given once', async () => {
  const { text } = await putRight({ path: `${A}?${STAGE}&pageSize=5&pageSize=6&targetType=USER&targetType=USER` });
  assert.equal(text, 'Send targetType once: USER. Send pageSize once: 5.');
});

test('the two faults of a HEAD, whose answer names none, are found', async () => {
  const path = `${A}?pageSize=0&accountId=stage`;
  const { change } = await kit.explain((await kit.ask({ method: 'HEAD', path })).traceId);
  assert.deepEqual([change?.succeeds, change?.request?.path], [true, `${A}?pageSize=1&${STAGE}`]);
});

test('who may see no account is told of one all the same: its list is empty', async () => {
  for (const list of [A, C, '/users']) await putRight({ path: `${list}?pageSize=0`, token: 'outsider' });
});

const SELECTED = [
  (number: string) => `${C}?telephoneNumber=${number}`,
  (number: string) => `${C}?tn=${number}`,
  (number: string) => `${A}?targetType=PHONE_NUMBER&targetValue=${number}`,
  (number: string) => `/experiences/${experience('agent')}/assignability?targetType=PHONE_NUMBER&targetValue=${number}`,
];

test('a number that is not written in full is the nearest one of the world', async () => {
  for (const path of SELECTED)
    for (const written of ['2065550100', '12065550100', '+12065550100', '(206) 555-0100', '5550100', '02065550100'])
      assert.equal((await putRight({ path: path(encodeURIComponent(written).replace('%2B', '+')) })).path, path('%2B12065550100'), written);
});

test('a number of the world is proposed to whoever sees none of them, too', async () => {
  for (const path of SELECTED.slice(0, 3)) {
    const right = await putRight({ path: path('2065550103'), token: 'outsider' });
    assert.equal(right.path, path('%2B12065550103'));
  }
});

test('where a list is asked for, a number is proposed of which it has something', async () => {
  for (const path of SELECTED.slice(0, 3)) {
    const { text } = await kit.ask({ path: (await putRight({ path: path('x') })).path });
    assert.notDeepEqual((JSON.parse(text) as { entities: unknown[] }).entities, [], path('x'));
  }
});

test('a number that nobody has is proposed only in a world without any', async () => {
  const empty = await explainingKit({ fixtures: { ...explainedWorld, telephoneNumbers: {}, assignments: {} } });
  try {
    for (const path of SELECTED.slice(0, 3)) {
      assert.equal((await putRight({ path: path('2065550100') }, empty)).path, path('%2B2065550100'));
      assert.equal((await putRight({ path: path('x') }, empty)).path, path('%2B12065550100'));
    }
  } finally {
    await empty.kit.close();
  }
});
