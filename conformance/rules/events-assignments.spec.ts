import { TARGET_TYPES } from '../actors/assignments.ts';
import { assignmentEvent } from '../expect/event.ts';
import { rule } from '../runner/rule.ts';
import { test } from '../runner/test.ts';

test(
  'Creating an assignment through the API publishes experience.assignment.created.',
  rule('events.assignment.created.on-create'),
  async ({ events, assignments }) => {
    const inbox = await events.subscribed();
    const made = [await assignments.make(), await assignments.make()];
    for (const { id } of made) await inbox.expectEvent(assignmentEvent('created', id));
  },
);

for (const [who, id, sentence] of [
  [
    'portal.assignments',
    'events.assignment.created.on-portal-create',
    'Assigning an Experience in an end-user portal publishes experience.assignment.created.',
  ],
  [
    'platform.assignments',
    'events.assignment.created.on-platform-create',
    'An assignment that the platform creates publishes experience.assignment.created.',
  ],
] as const) {
  test(sentence, rule(id), async ({ need, events, connections, assignments, operator }) => {
    const others = await operator(who, 'account', 'numbers', 'users');
    const { experienceId } = await connections.make({ accountId: await need('account') });
    const [inbox, made] = [await events.subscribed(), [] as string[]];
    for (const targetType of TARGET_TYPES) made.push(await others.create(await assignments.newBody({ experienceId, targetType })));
    for (const assignmentId of made) await inbox.expectEvent(assignmentEvent('created', assignmentId));
  });
}

for (const [targetType, id, target] of [
  ['ACCOUNT', 'events.assignment.created.of-account', 'an account'],
  ['PHONE_NUMBER', 'events.assignment.created.of-phone-number', 'a telephone number'],
  ['USER', 'events.assignment.created.of-user', 'a user'],
] as const) {
  test(
    `Assigning an Experience to ${target} publishes experience.assignment.created.`,
    rule(id),
    async ({ need, events, connections, assignments }) => {
      const { experienceId } = await connections.make({ accountId: await need('account') });
      const inbox = await events.subscribed();
      const made = await assignments.make({ experienceId, targetType });
      await inbox.expectEvent(assignmentEvent('created', made.id));
    },
  );
}
