import assert from 'node:assert/strict';
import { ok, refused } from '../expect.ts';
import type { Lab } from '../lab.ts';
import { ASSIGNMENTS, CONNECTIONS, connect, number } from '../steps.ts';
import { idOf, NOBODY } from '../world.ts';
import { byStatus, type Check, type Variants } from './variant.ts';

interface Page {
  readonly entities: readonly { readonly id: string }[];
  readonly cursor: string | null;
  readonly pageSize: number;
}
const BUSY = idOf('accounts', 'busy');
const LISTS = [ASSIGNMENTS, CONNECTIONS] as const;
const get = (lab: Lab, path: string, search: string) => lab.send('GET', `${path}?${search}`, { token: 'full' });
const page = async (lab: Lab, path: string, search: string) => (await ok(get(lab, path, search))) as Page;

const hiddenAccount = byStatus([403, 404], async (lab, status) => {
  for (const path of LISTS)
    for (const id of [NOBODY, idOf('accounts', 'hidden')]) await refused(get(lab, path, `accountId=${id}`), status, 'lists.hidden-account');
});
const ordered = async (lab: Lab) => {
  const { accountId } = lab.room();
  const made = [];
  for (const n of [1, 2, 3]) made.push((await connect(lab, `many-${n}`, accountId)).id);
  const first = await page(lab, CONNECTIONS, `accountId=${accountId}&pageSize=2`);
  const rest = await page(lab, CONNECTIONS, `accountId=${accountId}&pageSize=2&cursor=${first.cursor}`);
  assert.equal(rest.cursor, null);
  return { made, listed: [...first.entities, ...rest.entities].map(({ id }) => id) };
};
const assignmentIds = async (lab: Lab) => (await page(lab, ASSIGNMENTS, `accountId=${BUSY}`)).entities.map(({ id }) => id);
const ofUnknownNumber = (lab: Lab, value: string) => get(lab, CONNECTIONS, `telephoneNumber=${encodeURIComponent(value)}`);
const malformedTn = (lab: Lab) => get(lab, CONNECTIONS, `telephoneNumber=${encodeURIComponent('+442079460105')}&tn=no-number`);
const tooLarge: Check = async (lab) => {
  for (const size of ['101', '99999999999999999999'])
    assert.equal((await page(lab, ASSIGNMENTS, `accountId=${BUSY}&pageSize=${size}`)).entities.length, 100);
};

/** Open points of the lists of assignments and connections. */
export const ofLists = {
  'lists.cursor.invalid': {
    400: async (lab) => {
      for (const path of LISTS) await refused(get(lab, path, `accountId=${BUSY}&cursor=abc`), 400, 'lists.cursor.invalid');
    },
    'first-page': async (lab) => {
      for (const path of LISTS)
        assert.deepEqual(await page(lab, path, `accountId=${BUSY}&cursor=abc`), await page(lab, path, `accountId=${BUSY}`));
    },
    empty: async (lab) => {
      for (const path of LISTS) {
        const { entities, cursor } = await page(lab, path, `accountId=${BUSY}&cursor=abc`);
        assert.deepEqual([entities, cursor], [[], null]);
      }
    },
  },
  'lists.order': {
    'newest-last': async (lab) => {
      const { made, listed } = await ordered(lab);
      assert.deepEqual(listed, made);
      assert.deepEqual(await assignmentIds(lab), (await assignmentIds(lab)).toSorted());
    },
    'newest-first': async (lab) => {
      const { made, listed } = await ordered(lab);
      assert.deepEqual(listed, made.toReversed());
      assert.deepEqual(await assignmentIds(lab), (await assignmentIds(lab)).toSorted().toReversed());
    },
  },
  'lists.hidden-account': {
    empty: async (lab) => {
      for (const path of LISTS)
        for (const id of [NOBODY, idOf('accounts', 'hidden')]) assert.deepEqual((await page(lab, path, `accountId=${id}`)).entities, []);
    },
    ...hiddenAccount,
  },
  'lists.page-size': {
    'asked-for': async (lab) => {
      for (const path of [...LISTS, '/users'])
        assert.equal((await page(lab, path, `accountId=${idOf('accounts', 'stage')}&pageSize=77`)).pageSize, 77);
    },
    held: async (lab) => {
      for (const path of [...LISTS, '/users']) {
        const { entities, pageSize } = await page(lab, path, `accountId=${idOf('accounts', 'stage')}&pageSize=77`);
        assert.equal(pageSize, entities.length);
      }
    },
  },
  'assignments.list.page-size-out-of-range': {
    400: async (lab) => {
      for (const size of ['0', '101', '-1'])
        await refused(get(lab, ASSIGNMENTS, `accountId=${BUSY}&pageSize=${size}`), 400, 'assignments.list.page-size-out-of-range');
    },
    clamped: async (lab) => {
      await tooLarge(lab);
      for (const size of ['0', '-1', '-50'])
        assert.equal((await page(lab, ASSIGNMENTS, `accountId=${BUSY}&pageSize=${size}`)).entities.length, 1);
      await refused(get(lab, ASSIGNMENTS, `accountId=${BUSY}&pageSize=x`), 400, 'assignments.list.page-size-integer');
    },
  },
  'assignments.list.account-with-target': {
    and: async (lab) => void (await page(lab, ASSIGNMENTS, `accountId=${BUSY}&targetType=ACCOUNT&targetValue=${BUSY}`)),
    400: async (lab) =>
      void (await refused(
        get(lab, ASSIGNMENTS, `accountId=${BUSY}&targetType=ACCOUNT&targetValue=${BUSY}`),
        400,
        'assignments.list.account-with-target',
      )),
  },
  'connections.list.unknown-number': {
    empty: async (lab) => assert.deepEqual(((await ok(ofUnknownNumber(lab, '+442079460103'))) as Page).entities, []),
    ...byStatus([403, 404], async (lab, status) => {
      for (const value of ['+442079460103', number('+12065559999').targetValue])
        await refused(ofUnknownNumber(lab, value), status, 'connections.list.unknown-number');
    }),
  },
  'connections.list.malformed-tn-beside-number': {
    ignored: async (lab) => assert.equal(((await ok(malformedTn(lab))) as Page).entities.length, 1),
    400: async (lab) => void (await refused(malformedTn(lab), 400, 'connections.list.malformed-tn-beside-number')),
  },
} as const satisfies Variants;
