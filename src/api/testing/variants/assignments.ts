import assert from 'node:assert/strict';
import { ok, type Reply, refused } from '../expect.ts';
import type { Lab } from '../lab.ts';
import { ASSIGNMENTS, account, experience, number, type Target, user } from '../steps.ts';
import { idOf, NOBODY } from '../world.ts';
import { assigned, byStatus, type Variants } from './variant.ts';

const STATUSES = [422, 409, 403, 404] as const;
const create = (lab: Lab, experienceId: string, target: Target): Promise<Reply> =>
  lab.api('full').POST(ASSIGNMENTS, { body: { experienceId, ...target } });
const FREE = number('+442079460105');
const loose = (lab: Lab) => create(lab, experience('many-80'), number(lab.room().numbers[0]));

/** Open points of creating assignments. */
export const ofAssignments = {
  'assignments.create.malformed-body': byStatus([422, 400], async (lab, status) => {
    for (const body of ['{', '', 'null', '[]', '7', '"text"']) {
      await refused(lab.send('POST', ASSIGNMENTS, { token: 'full', body }), status, 'assignments.create.malformed-body');
    }
    await refused(lab.send('POST', ASSIGNMENTS, { token: 'full', body: {} }), 422, 'assignments.create.required-field');
  }),
  'assignments.create.duplicate': byStatus([409, 422], async (lab, status) => {
    const { accountId, numbers } = lab.room();
    await ok(assigned(lab, 'agent', number(numbers[0]), accountId), 201);
    await refused(assigned(lab, 'agent', number(numbers[0]), accountId), status, 'assignments.create.duplicate');
    const again = Array.from({ length: 10 }, () => create(lab, experience('agent'), number(numbers[1])));
    const statuses = (await Promise.all(again)).map(({ response }) => response.status).toSorted();
    assert.deepEqual(statuses, [201, ...Array(9).fill(status)]);
  }),
  'assignments.create.unknown-experience': byStatus(STATUSES, async (lab, status) => {
    for (const id of [NOBODY, experience('hidden'), 'no-uuid', 'nul\u0000'])
      await refused(create(lab, id, FREE), status, 'assignments.create.unknown-experience');
  }),
  'assignments.create.read-only-experience': byStatus(STATUSES, (lab, status) =>
    refused(create(lab, experience('readable'), FREE), status, 'assignments.create.read-only-experience'),
  ),
  'assignments.create.unknown-target': byStatus(STATUSES, async (lab, status) => {
    for (const target of [number('+12065559999'), number('+442079460104'), account(NOBODY), account(idOf('accounts', 'hidden'))]) {
      await refused(create(lab, experience('general'), target), status, 'assignments.create.unknown-target');
    }
    // For a user that does not exist the specification has a status of its own.
    await refused(create(lab, experience('general'), user(NOBODY)), 422, 'assignments.create.unknown-user');
  }),
  'assignments.create.read-only-target': byStatus(STATUSES, async (lab, status) => {
    for (const target of [number('+442079460102'), user(idOf('users', 'readable')), account(idOf('accounts', 'readable'))]) {
      await refused(create(lab, experience('general'), target), status, 'assignments.create.read-only-target');
    }
  }),
  'assignments.create.needs-connection': {
    no: async (lab) => void (await ok(loose(lab), 201)),
    409: async (lab) => {
      await refused(loose(lab), 409, 'assignments.create.needs-connection');
      const { accountId, numbers } = lab.room();
      await ok(assigned(lab, 'many-80', number(numbers[0]), accountId), 201);
    },
  },
} as const satisfies Variants;
