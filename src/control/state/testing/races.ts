import assert from 'node:assert/strict';
import { createAssignment } from '../../../service/assignments.ts';
import type { Check, Lab } from './lab.ts';

const PORTAL = { kind: 'portal' } as const;
const WRITERS = 8;

/** Runs writers at once. @returns how many succeeded, and why the others were refused. */
async function race(writers: readonly (() => Promise<unknown>)[]): Promise<{ won: number; lost: string[] }> {
  const outcomes = await Promise.allSettled(writers.map((write) => write()));
  const lost = outcomes
    .filter((outcome) => outcome.status === 'rejected')
    .map(({ reason }) => {
      // Anything else than a refusal would be an internal error.
      if (!(reason instanceof Error) || !('refusal' in reason)) throw reason;
      return (reason.refusal as { refused: string }).refused;
    });
  return { won: outcomes.length - lost.length, lost };
}

const times = <T>(work: (n: number) => T): (() => T)[] => Array.from({ length: WRITERS }, (_, n) => () => work(n));

/** What writers that come at once may and may not do. */
export function races(check: Check): void {
  const oneWins: readonly [title: string, work: (lab: Lab, n: number) => Promise<unknown>][] = [
    ['an alias', (lab) => lab.create('users', { alias: 'new', account: 'north' })],
    ['an id', (lab, n) => lab.create('accounts', { alias: `new-${n}`, id: '0f5ad5bc-63f2-4d6c-9d7e-2b7f1f0a5c11', name: 'X' })],
    ['a number', (lab) => lab.create('telephoneNumbers', { alias: '+12065550300', account: 'north' })],
    [
      'a native id',
      (lab, n) => lab.create('users', { alias: `new-${n}`, account: n % 2 ? 'north' : 'south', nativeIds: [{ style: 'base62', id: 'N' }] }),
    ],
    ['a connection', (lab) => lab.create('connections', { account: 'south', experience: 'desk' })],
    [
      'the alias of a connection',
      (lab, n) => lab.create('connections', { alias: 'new', account: 'south', experience: ['desk', 'spare', 'kiosk'][n % 3]! }),
    ],
    ['an assignment', (lab) => lab.create('assignments', { experience: 'lobby', targetType: 'USER', target: 'cy' })],
    [
      'a number of AGENT experiences',
      (lab, n) => lab.create('assignments', { experience: n % 2 ? 'desk' : 'kiosk', targetType: 'PHONE_NUMBER', target: '+12065550200' }),
    ],
    ['the deletion of a user', (lab) => lab.remove('users', 'bob')],
    ['the deletion of an account', (lab) => lab.remove('accounts', 'north')],
    ['a state', (lab) => lab.patch('connections', 'south-lobby', { state: 'ACTIVE' })],
  ];
  for (const [title, work] of oneWins) {
    check(`of writers racing for ${title} exactly one wins`, async (lab) => {
      assert.equal((await race(times((n) => work(lab, n)))).won, 1);
      const events = (await lab.events()).map(({ type, entityId, experienceId }) => `${type} ${entityId} ${experienceId}`);
      assert.deepEqual(events, [...new Set(events)], 'nothing is told twice');
    });
  }

  check('no assignment outlives the user, number or account that it is assigned to', async (lab) => {
    const { users, accounts, experiences } = await lab.dump();
    const targets = [
      ['USER', users!.ada!.id!],
      ['USER', users!.bob!.id!],
      ['PHONE_NUMBER', '+12065550101'],
      ['ACCOUNT', accounts!.south!.id!],
    ] as const;
    const assigning = ['lobby', 'spare', 'kiosk'].flatMap((experience) =>
      targets.map(
        ([targetType, targetValue]) =>
          () =>
            createAssignment(lab.context, PORTAL, { experienceId: experiences![experience]!.id!, targetType, targetValue }),
      ),
    );
    const deleting = [
      () => lab.remove('users', 'ada'),
      () => lab.remove('accounts', 'south'),
      () => lab.remove('telephoneNumbers', '+12065550101'),
      () => lab.remove('accounts', 'north'),
    ];
    await race(assigning.flatMap((assign, i) => (i % 3 === 0 ? [assign, deleting[i / 3]!] : [assign])));
    const after = await lab.dump();
    assert.deepEqual([after.accounts, after.users, after.telephoneNumbers, after.assignments, after.connections], Array(5).fill(undefined));
    const created = (await lab.events()).filter(({ type }) => type === 'experience.assignment.created');
    const deleted = (await lab.events()).filter(({ type }) => type === 'experience.assignment.deleted');
    assert.equal(deleted.length, created.length + 3, 'the three of the world, and each that was made');
  });

  check('users that are created while their account is deleted are refused, or deleted with it', async (lab) => {
    const creating = times((n) => lab.create('users', { alias: `new-${n}`, account: 'north' }));
    const numbering = times((n) => lab.create('telephoneNumbers', { alias: `+1206555070${n}`, account: 'north' }));
    await race([
      ...creating.slice(0, 4),
      ...numbering.slice(0, 4),
      () => lab.remove('accounts', 'north'),
      ...creating.slice(4),
      ...numbering.slice(4),
    ]);
    const { users, telephoneNumbers } = await lab.dump();
    assert.deepEqual(Object.keys({ ...users, ...telephoneNumbers }), ['cy', '+12065550200']);
  });

  check('an experience is not deleted under a connection that is being made', async (lab) => {
    await lab.put('experiences', 'new', { provider: 'acme', name: 'New' });
    const { won } = await race([
      () => lab.remove('experiences', 'new'),
      () => lab.create('connections', { account: 'north', experience: 'new' }),
      () => lab.remove('experiences', 'new'),
      () => lab.create('assignments', { experience: 'new', targetType: 'USER', target: 'cy' }),
    ]);
    assert.ok(won >= 1);
  });

  check('levels that are added at once are all there', async (lab) => {
    await race(times((n) => lab.put('accounts', `a${n}`, { name: 'X' })));
    assert.equal((await race(times((n) => lab.patch('principals', 'ann', { accounts: { [`a${n}`]: 'read' } })))).won, WRITERS);
    assert.equal(Object.keys((await lab.patch('principals', 'ann', {})).accounts!).length, WRITERS + 1);
  });

  check('the events of a connection that is changed and deleted at once are in the order of their updatedAt', async (lab) => {
    const changing = times((n) => lab.patch('connections', 'south-lobby', { state: n % 2 ? 'INACTIVE' : 'ACTIVE' }));
    await race([...changing, () => lab.remove('connections', 'south-lobby'), ...changing]);
    const told = (await lab.events()).map(({ data }) => data.updatedAt);
    assert.deepEqual(told, [...new Set(told)].toSorted());
    assert.equal((await lab.events()).at(-1)?.type, 'experience.connection.deleted');
  });
}
