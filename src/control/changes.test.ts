import assert from 'node:assert/strict';
import { listEvents } from '../store/delivery-list.ts';
import { listChanges } from '../store/entity-changes.ts';
import { onPostgres, onSqlite } from './testing/state-lab.ts';

for (const onLab of [onSqlite(), onPostgres()]) {
  onLab('a change has an actor, and an event has the same actor as the change that caused it', async (lab) => {
    await lab.send('PUT accounts/new', { name: 'New' }, 'portal');
    await lab.send('PATCH accounts/new', { name: 'New' }, 'portal');
    await lab.send('PATCH accounts/new', { name: 'Newer' });
    await assert.rejects(lab.send('PATCH accounts/new', { name: 1 }, 'portal'));
    await lab.send('PUT connections/made', { account: 'new', experience: 'desk' }, 'platform');
    await lab.send('PATCH connections/made', { state: 'ACTIVE' });
    const { id } = await lab.send('GET accounts/new');
    await lab.send('DELETE accounts/new', undefined, 'portal');
    const { db } = lab.context.store;
    const changes = await listChanges(db, { entity: 'new' }, 10);
    assert.deepEqual(
      changes.map(({ action, actor }) => [action, actor]),
      [
        ['deleted', 'portal'],
        ['changed', 'platform'],
        ['created', 'portal'],
      ],
    );
    assert.deepEqual(
      changes.map(({ difference }) => difference && JSON.parse(difference)),
      [null, { name: { before: 'New', after: 'Newer' } }, null],
    );
    // Of a map, only the entries that differ are listed.
    await lab.send('PATCH principals/ann', { accounts: { south: 'read' } });
    const [changed] = await listChanges(db, { entity: 'ann' }, 1);
    assert.deepEqual(JSON.parse(changed!.difference!), { accounts: { before: {}, after: { south: 'read' } } });
    assert.deepEqual(await listChanges(db, { entity: id, before: changes[1]!.id }, 10), changes.slice(2));
    const events = await listEvents(db, {}, 10);
    assert.deepEqual(
      events.map(({ type, actor }) => [type, actor]),
      [
        ['experience.connection.deleted', 'portal'],
        ['experience.connection.activated', 'portal'],
        ['experience.connection.created', 'platform'],
      ],
    );
  });
}
