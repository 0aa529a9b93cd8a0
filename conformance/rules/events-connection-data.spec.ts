import { connectionChanges } from '../actors/connection-changes.ts';
import { shownOf } from '../expect/connection-shown.ts';
import type { ShownConnection } from '../expect/connections.ts';
import { mustHaveUpdatedAt, mustNotGoBack } from '../expect/event-instants.ts';
import { mustCarry } from '../expect/event-members.ts';
import { mustSay, mustTell, told } from '../expect/told.ts';
import { success } from '../expect/verify.ts';
import { test } from '../runner/events-test.ts';
import { rule } from '../runner/rule.ts';

for (const [id, member, kind] of [
  ['events.connection.data.connection-id', 'connectionId', 'a UUID'],
  ['events.connection.data.experience-id', 'experienceId', 'a UUID'],
  ['events.connection.data.experience-name', 'experienceName', 'a string'],
  ['events.connection.data.provider-id', 'providerId', 'a string'],
  ['events.connection.data.account-id', 'accountId', 'a UUID'],
  ['events.connection.data.updated-at', 'updatedAt', 'a date-time'],
] as const) {
  test(`A connection event carries ${member}, ${kind}.`, rule(id), async ({ parts }) => {
    for await (const change of connectionChanges(parts)) await mustCarry(change, `/data/${member}`);
  });
}

test(
  'experienceName of a connection event is the name of its Experience.',
  rule('events.connection.data.names-experience'),
  async ({ need, parts }) => {
    const factsOf = await need('experience.facts');
    for await (const change of connectionChanges(parts)) {
      const { name } = await factsOf(change.experienceId);
      await mustTell(change, ({ experienceName }) => experienceName === name, `experienceName is ${name}`);
    }
  },
);

test(
  'providerId of a connection event is the provider identifier of its Experience.',
  rule('events.connection.data.names-provider'),
  async ({ need, parts }) => {
    const factsOf = await need('experience.facts');
    for await (const change of connectionChanges(parts))
      await mustSay(change, { providerId: (await factsOf(change.experienceId)).providerId });
  },
);

test(
  'connectionId, experienceId and accountId of a connection event are those of the connection.',
  rule('events.connection.data.of-connection'),
  async ({ parts }) => {
    for await (const change of connectionChanges(parts)) {
      const { id, experienceId, accountId } = change.connection;
      await mustSay(change, { connectionId: id, experienceId, accountId });
    }
  },
);

test(
  'updatedAt of a connection event is the updatedAt that the change gave the connection.',
  rule('events.connection.data.updated-at-of-connection'),
  async ({ connections, parts }) => {
    for await (const change of connectionChanges(parts)) {
      // What it is of a deletion is left open, and there is nothing to compare it with.
      if (change.type === 'experience.connection.deleted') continue;
      await told(change);
      const shown = success<ShownConnection>('getExperienceConnection', await connections.read(change.connection), 200);
      const [updatedAt] = shownOf([shown], 'updatedAt');
      await mustHaveUpdatedAt(change, updatedAt);
    }
  },
);

test(
  'Of two changes to a connection, the later one has the later updatedAt.',
  rule('events.connection.data.updated-at-grows'),
  async ({ parts }) => {
    await mustNotGoBack(connectionChanges(parts), ({ connection }) => connection.id);
  },
);
