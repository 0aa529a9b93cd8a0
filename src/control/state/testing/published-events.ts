import assert from 'node:assert/strict';
import { readConnection } from '../../../service/connections.ts';
import { listUsers } from '../../../service/users.ts';
import { CAUSES, type Happened } from './causes.ts';
import { type As, type Check, idOf, type Lab } from './lab.ts';

const AS: readonly As[] = ['portal', 'platform'];
const PLATFORM = { kind: 'platform' } as const;

/** What was published: each event with the alias of the entity it is about, as it was before the work. */
async function happenedIn(lab: Lab, work: () => Promise<unknown>): Promise<Happened[]> {
  const names = await namesOf(lab);
  const before = (await lab.events()).length;
  await work();
  for (const [id, alias] of await namesOf(lab)) names.set(id, alias);
  return (await lab.events()).slice(before).map(({ type, entityId }) => [type, names.get(entityId) ?? entityId]);
}

async function namesOf(lab: Lab): Promise<Map<string, string>> {
  const { users, assignments, connections, experiences, subscriptions } = await lab.dump();
  const entries = [users, assignments, connections, experiences, subscriptions].flatMap((all) => Object.entries(all ?? {}));
  return new Map(entries.map(([alias, { id }]) => [id!, alias]));
}

/** The subscriptions that got something, once for each delivery. */
async function receivers(lab: Lab): Promise<string[]> {
  const names = await namesOf(lab);
  return (await lab.deliveries()).map(({ subscriptionId }) => names.get(subscriptionId)!).sort();
}

/** What is published for each cause that is not the provider's: the rows of the outbox, and who gets them. */
export function publishedEvents(check: Check): void {
  for (const as of AS) {
    for (const { title, work, publishes, to } of CAUSES) {
      check(`as ${as}: ${title} publishes ${publishes.map(([type]) => type).join(' and ') || 'nothing'}`, async (lab) => {
        assert.deepEqual(await happenedIn(lab, () => work(lab, as)), publishes);
        if (to) assert.deepEqual(await receivers(lab), to);
      });
    }
  }

  check(
    'deleting an account: each user, then what is assigned, then the connections; the ACCOUNT assignment counts to the last',
    async (lab) => {
      await lab.put('assignments', 'lobby-north', { experience: 'lobby', targetType: 'ACCOUNT', target: 'north' });
      const happened = await happenedIn(lab, () => lab.remove('accounts', 'north'));
      const order = ['provisioning.user.deleted', 'experience.assignment.deleted', 'experience.connection.deleted'];
      const ofUsers = happened.slice(0, 5);
      assert.deepEqual(ofUsers.map(([type, who]) => `${type} ${who}`).sort(), [
        'experience.assignment.deleted desk-ada',
        'provisioning.user.deleted ada',
        'provisioning.user.deleted ada',
        'provisioning.user.deleted bob',
        'provisioning.user.deleted bob',
      ]);
      const rest = happened.slice(5);
      assert.deepEqual(rest.map(([, who]) => who).sort(), ['desk-north', 'desk-number', 'lobby-north', 'north-desk']);
      const ranks = rest.map(([type]) => order.indexOf(type));
      assert.deepEqual(ranks, ranks.toSorted());
      const { users, telephoneNumbers, assignments, connections, principals } = await lab.dump();
      assert.deepEqual(Object.keys({ ...users, ...telephoneNumbers, ...assignments, ...connections }), [
        'cy',
        '+12065550200',
        'south-lobby',
      ]);
      assert.equal(principals!.ann!.accounts, undefined);
    },
  );

  check('the users of a deleted account publish nothing where that is decided', async (lab) => {
    lab.decide({ 'provisioning.account-deleted': 'not-sent' });
    const happened = await happenedIn(lab, () => lab.remove('accounts', 'north'));
    assert.deepEqual(happened.map(([, who]) => who).sort(), ['desk-ada', 'desk-north', 'desk-number', 'north-desk']);
  });

  check('a user of several assigned experiences publishes one event each, or one a provider', async (lab) => {
    for (const experience of ['lobby', 'kiosk']) await lab.create('assignments', { experience, targetType: 'ACCOUNT', target: 'north' });
    const each = await happenedIn(lab, () => lab.put('users', 'new', { account: 'north' }));
    assert.equal(each.length, 3);
    lab.decide({ 'provisioning.several-experiences': 'one' });
    assert.equal((await happenedIn(lab, () => lab.remove('users', 'new'))).length, 2);
  });

  check('a connection is what assigns an account, where that is decided', async (lab) => {
    lab.decide({ 'provisioning.assigned-means': 'connection' });
    assert.equal((await happenedIn(lab, () => lab.create('users', { account: 'south' }))).length, 1);
  });

  check('asking for the state it has is refused, or nothing in the portal, as decided', async (lab) => {
    const again = (as: As) => lab.patch('connections', 'north-desk', { state: 'ACTIVE' }, as);
    for (const as of AS) await lab.refuses(() => again(as), 'conflict', /already ACTIVE.*connections\.update\.same-state/);
    lab.decide({ 'portal.same-state': 'no-op' });
    assert.deepEqual(await happenedIn(lab, () => again('portal')), []);
    await lab.refuses(() => again('platform'), 'conflict', /same-state/);
  });

  check('removing a connection in the portal while numbers remain is refused, as decided', async (lab) => {
    lab.decide({ 'portal.delete-with-numbers': 'refused' });
    await lab.refuses(() => lab.remove('connections', 'north-desk', 'portal'), 'conflict', /numbers-assigned/);
    await lab.remove('connections', 'north-desk', 'platform');
  });

  check('updatedAt strictly grows within a millisecond, in the entity as in its events', async (lab) => {
    const { updatedAt } = await lab.put('connections', 'new', { account: 'south', experience: 'desk' });
    const shown = [updatedAt];
    for (const state of ['ACTIVE', 'INACTIVE', 'ACTIVE']) shown.push((await lab.patch('connections', 'new', { state })).updatedAt);
    await lab.remove('connections', 'new');
    const told = (await lab.events()).map(({ data }) => data.updatedAt);
    assert.deepEqual(told.slice(0, 4), shown);
    assert.deepEqual(
      told,
      [0, 1, 2, 3, 4].map((ms) => `2026-03-01T12:00:00.00${ms}Z`),
    );
  });

  check('a deletion comes after creation and updates, for users and assignments, too', async (lab) => {
    await lab.put('assignments', 'new', { experience: 'desk', targetType: 'USER', target: 'bob' });
    await lab.remove('assignments', 'new');
    await lab.put('users', 'new', { account: 'north', firstName: 'A' });
    await lab.patch('users', 'new', { firstName: 'B' });
    await lab.remove('users', 'new');
    const told = (await lab.events()).map(({ data }) => data.updatedAt.slice(-4));
    assert.deepEqual(told, ['000Z', '001Z', '000Z', '002Z']);
  });

  check('nothing that stays the same is an update of a user', async (lab) => {
    const { alias: _, ...ada } = await lab.patch('users', 'ada', { firstName: 'Ada', nativeIds: [] });
    assert.equal(ada.updatedAt, null);
    assert.deepEqual(await lab.put('users', 'ada', ada), { alias: 'ada', ...ada });
  });

  check('an account that is renamed is so in its connections at once', async (lab) => {
    const id = await idOf(lab, 'connections', 'north-desk');
    await lab.patch('accounts', 'north', { name: 'Nord' });
    const read = await readConnection(lab.context, PLATFORM, id);
    assert.equal('body' in read && read.body.accountName, 'Nord');
  });

  check('an experience that is renamed is so in later events only, and a subscription that goes keeps what it was sent', async (lab) => {
    await lab.patch('connections', 'north-desk', { state: 'INACTIVE' });
    await lab.patch('experiences', 'desk', { name: 'Bureau' });
    await lab.remove('subscriptions', 'desk-only');
    await lab.patch('connections', 'north-desk', { state: 'ACTIVE' });
    const names = (await lab.deliveries()).map(({ data }) => (data as { experienceName?: string }).experienceName);
    assert.deepEqual(names, ['Desk', 'Desk', 'Bureau']);
  });

  check('a subscription that is changed gets what it asks for from then on', async (lab) => {
    await lab.patch('subscriptions', 'desk-only', { types: ['experience.connection.activated'] });
    await lab.patch('subscriptions', 'everything', { experience: 'lobby' });
    for (const state of ['INACTIVE', 'ACTIVE']) await lab.patch('connections', 'north-desk', { state });
    assert.deepEqual(await receivers(lab), ['desk-only']);
  });

  check('the users list and its count follow', async (lab) => {
    lab.decide({ 'users.list.read-model-lag': 0 });
    const accountId = await idOf(lab, 'accounts', 'north');
    await lab.put('users', 'new', { account: 'north' });
    await lab.remove('users', 'bob');
    const listed = await listUsers(lab.context, PLATFORM, { accountId, pageSize: 100 });
    const page = JSON.parse('body' in listed && 'json' in listed.body ? listed.body.json : '{}');
    assert.deepEqual([page.count, page.entities.length], [2, 2]);
  });

  check('what callers are known by is marked as changed, and nothing else is', async (lab) => {
    const changes = async (work: () => Promise<unknown>) => {
      const before = lab.world.version;
      await work();
      return lab.world.version !== before;
    };
    assert.ok(await changes(() => lab.patch('experiences', 'spare', { levels: { rival: 'read' } })));
    assert.ok(await changes(() => lab.patch('principals', 'ann', { accounts: { north: null } })));
    assert.ok(await changes(() => lab.remove('clients', 'backend')));
    assert.ok(await changes(() => lab.remove('accounts', 'north')));
    assert.ok(!(await changes(() => lab.patch('connections', 'south-lobby', { state: 'ACTIVE' }))));
    assert.ok(!(await changes(() => lab.patch('users', 'cy', { firstName: 'Cyd' }))));
  });
}
