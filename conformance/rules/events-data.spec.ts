import { type Delivery, parseEvent } from '../../src/expect/event.ts';
import { TARGET_TYPES } from '../../src/refusals/hostile-values.ts';
import type { Assignment } from '../actors/assignments.ts';
import { expectEvent, expectFields, expectMember, expectUpdatedAt, expectUpdatedAtInOrder } from '../actors/change-events.ts';
import { changeAssignments, changeConnections, changeUsers } from '../actors/changes.ts';
import type { Participants } from '../actors/participants.ts';
import { type ConnectionInResponse, collectValues } from '../expect/connection.ts';
import { expectSuccess } from '../expect/response.ts';
import { onRuleBroken } from '../expect/rule-broken.ts';
import { SERIAL_OPTIONS } from '../runner/repeated.ts';
import { rule } from '../runner/rule.ts';
import { verifyChanges, verifyEachChange } from '../runner/shared-changes.ts';
import { test } from '../runner/test.ts';
import { endAsNotTestable } from '../target/check-report.ts';

// Most checks in this file share the same changes and events.
test.describe.configure(SERIAL_OPTIONS);

const changeEveryTarget = (participants: Participants) => changeAssignments(participants, TARGET_TYPES);

const COMMON_MEMBERS = ['experience-id', 'experience-name', 'provider-id', 'account-id', 'updated-at'] as const;
const REQUIRED_MEMBERS = [
  ...(['connection-id', ...COMMON_MEMBERS] as const).map((name) => [changeConnections, `events.connection.data.${name}`, name] as const),
  ...(['assignment-id', 'target-type', 'target-value', ...COMMON_MEMBERS] as const).map(
    (name) => [changeEveryTarget, `events.assignment.data.${name}`, name] as const,
  ),
  ...(['user-id', 'account-id', 'updated-at'] as const).map((name) => [changeUsers, `events.provisioning.data.${name}`, name] as const),
];
for (const [makeChanges, id, name] of REQUIRED_MEMBERS) {
  const member = name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  test(...rule(id), async ({ participants }) => {
    await verifyEachChange(makeChanges, participants, (change) => expectMember(change, `/data/${member}`));
  });
}

for (const [resource, makeChanges] of [
  ['connection', changeConnections],
  ['assignment', changeAssignments],
] as const) {
  test(...rule(`events.${resource}.data.names-experience`), async ({ need, participants }) => {
    const factsOf = await need('experience.facts');
    await verifyEachChange(makeChanges, participants, async (change) => {
      const { name } = await factsOf(change.experienceId);
      await expectEvent(change, ({ experienceName }) => experienceName === name, `experienceName is ${name}`);
    });
  });

  test(...rule(`events.${resource}.data.names-provider`), async ({ need, participants }) => {
    const factsOf = await need('experience.facts');
    await verifyEachChange(makeChanges, participants, async (change) => {
      const { providerId } = await factsOf(change.experienceId);
      await expectFields(change, { providerId });
    });
  });
}

for (const [id, makeChanges] of [
  ['events.connection.data.of-connection', changeConnections],
  ['events.assignment.data.of-assignment', changeEveryTarget],
  ['events.provisioning.data.of-user', changeUsers],
] as const) {
  test(...rule(id), async ({ participants }) => {
    await verifyEachChange(makeChanges, participants, (change) => expectFields(change, change.data));
  });
}

// The specification does not define a deletion's updatedAt, so skip deletions.

test(...rule('events.connection.data.updated-at-of-connection'), async ({ connections, participants }) => {
  for await (const change of changeConnections(participants)) {
    if (change.type === 'experience.connection.deleted') continue;
    await change.inbox.waitForEvent(change);
    const read = expectSuccess<ConnectionInResponse>(await connections.read({ id: change.ids[0] }), 200);
    const [updatedAt] = collectValues([read], 'updatedAt');
    // A target that creates a connection and then sets its state publishes the second change in another event.
    const isOther = (delivery: Delivery) => change.type.endsWith('created') && parseEvent(delivery).type !== change.type;
    const hasOther = () => change.inbox.filterDeliveries({ ids: [change.ids[0]] }).some(isOther);
    await expectUpdatedAt(change, updatedAt).catch(onRuleBroken((broken) => (hasOther() ? undefined : Promise.reject(broken))));
  }
});

test(...rule('events.assignment.data.updated-at-of-assignment'), async ({ assignments, participants }) => {
  for await (const change of changeAssignments(participants, ['PHONE_NUMBER', 'USER'])) {
    if (change.type === 'experience.assignment.deleted') continue;
    const read = await assignments.read(change.ids[0]);
    const { updatedAt } = expectSuccess<Assignment>(read, 200);
    await expectUpdatedAt(change, updatedAt ?? endAsNotTestable("the target does not show an assignment's updatedAt"));
  }
});

for (const [id, makeChanges] of [
  ['events.connection.data.updated-at-grows', changeConnections],
  ['events.assignment.data.updated-at-grows', changeAssignments],
  ['events.provisioning.data.updated-at-grows', changeUsers],
] as const)
  test(...rule(id), async ({ participants }) => verifyChanges(makeChanges, participants, expectUpdatedAtInOrder));
