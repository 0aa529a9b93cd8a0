import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ok, refused } from '../expect.ts';
import type { Lab } from '../lab.ts';
import { rule } from '../rule.ts';
import { allMembers, CONNECTION, CONNECTIONS, connect, NO_OBJECT, NOT_JSON, readConnection } from '../steps.ts';

const at = (id: string) => `${CONNECTIONS}/${id}`;

export function connectionsUpdate(lab: Lab): void {
  const update = (id: string, body: unknown) => lab.send('PUT', at(id), { token: 'full', body });
  const put = (id: string, state: 'ACTIVE' | 'INACTIVE') =>
    lab.api('full').PUT(CONNECTION, { params: { path: { experienceConnectionId: id } }, body: { state } });

  test(rule('connections.update.activates', 'connections.update.deactivates', 'connections.update.updated-at-grows'), async () => {
    const { accountId } = lab.room();
    let { id, updatedAt, ...rest } = await connect(lab, 'general', accountId);
    for (const state of ['ACTIVE', 'INACTIVE', 'ACTIVE', 'INACTIVE'] as const) {
      const updated = allMembers(await ok(put(id, state), 200));
      assert.deepEqual(updated, { id, ...rest, state, updatedAt: updated.updatedAt });
      // All within one millisecond, and yet in an order.
      assert.ok(updated.updatedAt > updatedAt, `${updated.updatedAt} is not after ${updatedAt}`);
      assert.deepEqual(await ok(readConnection(lab, id)), updated);
      updatedAt = updated.updatedAt;
    }
    const [, ...events] = await lab.published(accountId);
    assert.deepEqual(
      events,
      ['activated', 'deactivated', 'activated', 'deactivated'].map((what) => `experience.connection.${what}`),
    );
  });

  test(rule('connections.update.same-state', 'connections.update.same-state-unchanged'), async () => {
    const { accountId } = lab.room();
    const { id } = await connect(lab, 'general', accountId);
    for (const state of ['INACTIVE', 'ACTIVE'] as const) {
      if (state === 'ACTIVE') await ok(put(id, state));
      const before = await ok(readConnection(lab, id));
      await lab.advance(5000);
      await refused(put(id, state), 409, 'connections.update.same-state');
      assert.deepEqual(await ok(readConnection(lab, id)), before);
    }
    assert.deepEqual(await lab.published(accountId), ['experience.connection.created', 'experience.connection.activated']);
  });

  test(rule('connections.update.malformed', 'connections.update.refused-changes-nothing'), async () => {
    const created = await connect(lab, 'general', lab.room().accountId);
    for (const body of NOT_JSON) await refused(update(created.id, body), 400, 'connections.update.malformed');
    await refused(lab.send('PUT', at(created.id), { token: 'full' }), 400, 'connections.update.malformed');
    for (const body of NO_OBJECT) await refused(update(created.id, body), 400, 'connections.malformed-body');
    assert.deepEqual(await ok(readConnection(lab, created.id)), created);
  });

  test(rule('connections.update.missing-field-refused', 'connections.update.invalid-value'), async () => {
    const created = await connect(lab, 'general', lab.room().accountId);
    for (const body of [{}, { status: 'ACTIVE' }]) await refused(update(created.id, body), 422, 'connections.update.missing-field');
    for (const state of ['PENDING', 'active', '', null, 1, true, ['ACTIVE'], { is: 'ACTIVE' }]) {
      await refused(update(created.id, { state }), 422, 'connections.update.invalid-value');
    }
    assert.deepEqual(await ok(readConnection(lab, created.id)), created);
  });
}
