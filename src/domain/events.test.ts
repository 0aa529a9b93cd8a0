import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAssignmentEvent, createConnectionEvent, createProvisioningEvent } from './events.ts';

const EXPERIENCE = { experienceId: 'desk', experienceName: 'Desk', providerId: 'acme' };
const CHANGED = { accountId: 'north', updatedAt: '2026-01-01T00:00:00.000Z' };
const TARGET = { targetType: 'ACCOUNT', targetValue: 'north' } as const;
const ENVELOPE = { providerId: 'acme', experienceId: 'desk', entityId: '1' };

test("an event has the fields that the specification's table lists", () => {
  const data = { ...EXPERIENCE, ...CHANGED };
  assert.deepEqual(createConnectionEvent('created', { id: '1', ...EXPERIENCE, ...CHANGED }), {
    ...ENVELOPE,
    type: 'experience.connection.created',
    data: { connectionId: '1', ...data },
  });
  assert.deepEqual(createAssignmentEvent('deleted', { id: '1', ...EXPERIENCE, ...CHANGED, ...TARGET }), {
    ...ENVELOPE,
    type: 'experience.assignment.deleted',
    data: { assignmentId: '1', ...data, ...TARGET },
  });
  assert.deepEqual(createProvisioningEvent('created', { id: '1', ...CHANGED }, EXPERIENCE), {
    ...ENVELOPE,
    type: 'provisioning.user.created',
    data: { userId: '1', ...CHANGED },
  });
});
