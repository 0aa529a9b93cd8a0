import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { EventType } from '../contract/generated/events.ts';
import { schemaReferences } from '../contract/generated/schema-references.ts';
import { validator } from '../contract/validators.ts';
import { type Lab, startLab } from './testing/lab.ts';

type Work = (lab: Lab) => Promise<unknown>;

interface Cause {
  readonly title: string;
  /** What has to be there before. */
  readonly given?: Work;
  readonly work: Work;
  readonly events: readonly EventType[];
}

const WHO = ['portal', 'platform'] as const;

const connection = { account: 'north', experience: 'desk' };
const addConnection =
  (state: 'ACTIVE' | 'INACTIVE'): Work =>
  (lab) =>
    lab.control('POST', '/state/connections', { alias: 'it', ...connection, state });
const TARGETS = { ACCOUNT: 'north', PHONE_NUMBER: '+12065550100', USER: 'ann' } as const;
const TARGET_TYPES = Object.keys(TARGETS) as (keyof typeof TARGETS)[];
const assign =
  (targetType: keyof typeof TARGETS, as = 'portal'): Work =>
  (lab) =>
    lab.control('POST', `/state/assignments?as=${as}`, { alias: 'it', experience: 'desk', targetType, target: TARGETS[targetType] });

async function connectionBody(lab: Lab) {
  return { accountId: await lab.idOf('accounts', 'north'), experienceId: await lab.idOf('experiences', 'desk') };
}

const byApi: readonly Cause[] = [
  {
    title: 'the provider creates a connection',
    work: async (lab) => lab.api('POST', '/experience/connections', await connectionBody(lab)),
    events: ['experience.connection.created'],
  },
  ...(['ACTIVE', 'INACTIVE'] as const).map(
    (state): Cause => ({
      title: `the provider makes a connection ${state}`,
      given: addConnection(state === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE'),
      work: async (lab) => lab.api('PUT', `/experience/connections/${await lab.idOf('connections', 'it')}`, { state }),
      events: [state === 'ACTIVE' ? 'experience.connection.activated' : 'experience.connection.deactivated'],
    }),
  ),
  {
    title: 'the provider deletes a connection',
    given: addConnection('INACTIVE'),
    work: async (lab) => lab.api('DELETE', `/experience/connections/${await lab.idOf('connections', 'it')}`),
    events: ['experience.connection.deleted'],
  },
  ...TARGET_TYPES.map(
    (targetType): Cause => ({
      title: `the provider assigns to a ${targetType}`,
      work: async (lab) => {
        const targetValue =
          targetType === 'PHONE_NUMBER'
            ? TARGETS[targetType]
            : await lab.idOf(targetType === 'USER' ? 'users' : 'accounts', TARGETS[targetType]);
        return lab.api('POST', '/experience/assignments', { experienceId: await lab.idOf('experiences', 'desk'), targetType, targetValue });
      },
      events: ['experience.assignment.created'],
    }),
  ),
  {
    title: 'the provider deletes an assignment',
    given: assign('USER'),
    work: async (lab) => lab.api('DELETE', `/experience/assignments/${await lab.idOf('assignments', 'it')}`),
    events: ['experience.assignment.deleted'],
  },
  {
    title: 'a refused request of the provider',
    given: addConnection('INACTIVE'),
    work: async (lab) => lab.api('PUT', `/experience/connections/${await lab.idOf('connections', 'it')}`, { state: 'INACTIVE' }),
    events: [],
  },
];

const byOthers: readonly Cause[] = WHO.flatMap((as): Cause[] => [
  {
    title: `the ${as} creates a connection`,
    work: (lab) => lab.control('POST', `/state/connections?as=${as}`, connection),
    events: ['experience.connection.created'],
  },
  ...(['ACTIVE', 'INACTIVE'] as const).map(
    (state): Cause => ({
      title: `the ${as} makes a connection ${state}`,
      given: addConnection(state === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE'),
      work: (lab) => lab.control('PATCH', `/state/connections/it?as=${as}`, { state }),
      events: [state === 'ACTIVE' ? 'experience.connection.activated' : 'experience.connection.deactivated'],
    }),
  ),
  {
    title: `the ${as} removes a connection`,
    given: addConnection('INACTIVE'),
    work: (lab) => lab.control('DELETE', `/state/connections/it?as=${as}`),
    events: ['experience.connection.deleted'],
  },
  ...TARGET_TYPES.map(
    (targetType): Cause => ({
      title: `the ${as} assigns to a ${targetType}`,
      work: assign(targetType, as),
      events: ['experience.assignment.created'],
    }),
  ),
  {
    title: `the ${as} removes an assignment`,
    given: assign('PHONE_NUMBER'),
    work: (lab) => lab.control('DELETE', `/state/assignments/it?as=${as}`),
    events: ['experience.assignment.deleted'],
  },
]);

const byThePlatform: readonly Cause[] = [
  {
    title: 'a user is created in an assigned account',
    given: assign('ACCOUNT'),
    work: (lab) => lab.control('POST', '/state/users', { alias: 'bea', account: 'north' }),
    events: ['provisioning.user.created'],
  },
  {
    title: 'a user is deleted in an assigned account',
    given: assign('ACCOUNT'),
    work: (lab) => lab.control('DELETE', '/state/users/ann'),
    events: ['provisioning.user.deleted'],
  },
  {
    title: 'an assigned user is deleted',
    given: assign('USER'),
    work: (lab) => lab.control('DELETE', '/state/users/ann'),
    events: ['experience.assignment.deleted'],
  },
  {
    title: 'an assigned number is deleted',
    given: assign('PHONE_NUMBER'),
    work: (lab) => lab.control('DELETE', '/state/telephoneNumbers/+12065550100'),
    events: ['experience.assignment.deleted'],
  },
  {
    title: 'an account is deleted that is connected and assigned',
    given: async (lab) => {
      await addConnection('ACTIVE')(lab);
      await assign('ACCOUNT')(lab);
    },
    work: (lab) => lab.control('DELETE', '/state/accounts/north'),
    events: ['experience.assignment.deleted', 'experience.connection.deleted', 'provisioning.user.deleted'],
  },
];

describe('what a real receiver gets', () => {
  let lab: Lab;
  before(async () => {
    lab = await startLab({}, false);
  });
  after(() => lab.close());

  for (const { title, given, work, events } of [...byApi, ...byOthers, ...byThePlatform]) {
    test(`${title}: ${events.join(', ') || 'nothing'}`, async () => {
      await lab.control('POST', '/reset', { to: 'seed' });
      await given?.(lab);
      await lab.settled();
      await lab.subscribe();
      const before = lab.receiver.received.length;
      await work(lab);
      await lab.settled();
      const got = lab.receiver.received.slice(before);
      assert.deepEqual(got.map(({ event }) => event.type).sort(), events);
      for (const { event, headers } of got) {
        assert.deepEqual(validator(schemaReferences.events[event.type])(event), []);
        assert.match(String(headers['webhook-timestamp']), /^\d{10}$/);
        assert.ok(headers['webhook-id']);
        assert.match(String(headers['content-type']), /^application\/json/);
      }
    });
  }
});
