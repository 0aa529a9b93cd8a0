import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { components } from '../contract/generated/control.ts';
import { freshDatabase } from '../store/testing/postgres.ts';
import { attemptsOf } from './schedule.ts';
import { type Lab, startLab } from './testing/lab.ts';
import { startReceiver } from './testing/receiver.ts';

type Schemas = components['schemas'];

const connect = (lab: Lab, account = 'north') =>
  lab.control<{ id: string }>('POST', '/state/connections', { account, experience: 'desk', state: 'INACTIVE' });
const wait = (lab: Lab, asked: Partial<Schemas['DeliveryWait']>) => lab.control<Schemas['Delivery'][]>('POST', '/deliveries/wait', asked);

describe('a delivery', () => {
  let lab: Lab;
  before(async () => {
    lab = await startLab();
  });
  after(() => lab.close());

  test('that is never acknowledged goes through the whole schedule as kit time moves, and is the same event each time', async () => {
    lab.receiver.answerWith(500);
    const begun = lab.kit.clock.now();
    await connect(lab);
    const { attempts, pending } = await lab.control<Schemas['Advanced']>('POST', '/clock/advance', { by: '3d' });
    const got = lab.receiver.received;
    assert.equal(got.length, attemptsOf('standard'));
    assert.equal(new Set(got.map(({ text }) => text)).size, 1);
    assert.equal(new Set(got.map(({ headers }) => headers['webhook-id'])).size, 1);
    const sent = got.map(({ headers }) => Number(headers['webhook-timestamp']));
    assert.deepEqual(sent, [...new Set(sent)].sort());
    assert.ok(lab.kit.clock.now() - begun >= 3 * 86_400_000);
    assert.deepEqual([attempts.at(-1)?.state, pending], ['exhausted', 0]);
  });

  test('that is exhausted is sent again on redelivery and then acknowledged', async () => {
    lab.receiver.answerWith(204);
    const [{ id }] = (await lab.deliveries()) as [Schemas['Delivery']];
    await lab.control('POST', `/deliveries/${id}/redeliver`);
    const [done] = (await wait(lab, { state: 'acknowledged' })) as [Schemas['Delivery']];
    assert.deepEqual([done.id, done.attempts], [id, attemptsOf('standard') + 1]);
    const { attemptLog } = await lab.control<Schemas['DeliveryWithAttempts']>('GET', `/deliveries/${id}`);
    assert.deepEqual(
      attemptLog.map(({ number, status }) => [number, status]),
      [...Array.from({ length: attemptsOf('standard') }, (_, index) => [index + 1, 500]), [attemptsOf('standard') + 1, 204]],
    );
  });

  test('is not sent again after it was acknowledged', async () => {
    const before = lab.receiver.received.length;
    await lab.control('POST', '/clock/advance', { by: '30d' });
    assert.equal(lab.receiver.received.length, before);
  });

  test('recover sends all deliveries of a subscription since an instant again', async () => {
    const since = new Date(lab.kit.clock.now()).toISOString();
    const before = lab.receiver.received.length;
    await connect(lab, 'south');
    await lab.receiver.atLeast(before + 1);
    await lab.settled();
    const recovered = await lab.control('POST', '/subscriptions/all/recover', { since, acknowledged: true });
    assert.deepEqual(recovered, { deliveries: 1 });
    await lab.receiver.atLeast(before + 2);
  });

  test('waiting for an event reports when there is none', async () => {
    await assert.rejects(wait(lab, { type: 'provisioning.user.created', timeoutMs: 0 }), /for 1 delivery to be acknowledged; none was/);
  });

  test('of a reset world is dropped, even while it is in flight', async () => {
    let release = () => {};
    lab.receiver.answerWith((response) => {
      release = () => response.writeHead(204).end();
    });
    const before = lab.receiver.received.length;
    await lab.control('DELETE', `/state/connections/${await firstConnection(lab)}`);
    await lab.receiver.atLeast(before + 1);
    await lab.control('POST', '/reset', { to: 'seed' });
    release();
    await lab.settled();
    assert.deepEqual(await lab.deliveries(), []);
  });
});

async function firstConnection(lab: Lab): Promise<string> {
  return Object.keys(await lab.control<object>('GET', '/state/connections'))[0] as string;
}

test('a subscriber that hangs does not delay the others', async () => {
  const lab = await startLab();
  const slow = await startReceiver();
  const hanging: (() => void)[] = [];
  slow.answerWith((response) => void hanging.push(() => response.writeHead(204).end()));
  try {
    await lab.control('POST', '/state/subscriptions', {
      provider: 'acme',
      types: ['provisioning.user.created'],
      destinationUrl: slow.url,
    });
    await lab.control('POST', '/state/assignments', { experience: 'desk', targetType: 'ACCOUNT', target: 'north' });
    for (let user = 0; user < 40; user++) await lab.control('POST', '/state/users', { account: 'north' });
    // The assignment, and 40 users: all of them, while those for the other wait.
    await lab.receiver.atLeast(41);
    assert.ok(slow.received.length < 41);
  } finally {
    slow.answerWith(204);
    for (const answer of hanging) answer();
    await lab.close();
    await slow.close();
  }
});

test('a kit closes although a subscriber never responds, and the attempt fails', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'deliveries-'));
  const data = join(folder, 'world.db');
  const first = await startLab({ data });
  first.receiver.answerWith(() => {});
  await connect(first);
  await first.receiver.atLeast(1);
  await first.kit.close();
  const second = await startLab({ data }, false);
  try {
    const [delivery] = await second.deliveries();
    assert.deepEqual([delivery?.state, delivery?.attempts], ['pending', 1]);
  } finally {
    await second.close();
    await first.receiver.close();
    await rm(folder, { recursive: true });
  }
});

test('a delivery without a destination is in the inbox as a receiver would get it', async () => {
  const lab = await startLab({}, false);
  try {
    await lab.control('POST', '/state/subscriptions', { alias: 'box', provider: 'acme', types: ['experience.connection.created'] });
    const { id } = await connect(lab);
    await wait(lab, { entityId: id });
    const [received] = await lab.control<Schemas['Received'][]>('GET', '/inbox?subscription=box');
    assert.ok(received?.headers['webhook-id']);
    assert.equal((received.body as { data?: { connectionId?: string } }).data?.connectionId, id);
    await lab.control('DELETE', '/inbox');
    assert.deepEqual(await lab.control('GET', '/inbox'), []);
  } finally {
    await lab.close();
  }
});

test('deliveries that were not acknowledged when a kit closed are delivered by the next one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'deliveries-'));
  const data = join(folder, 'world.db');
  const first = await startLab({ data, retries: 'fast' });
  first.receiver.answerWith(503);
  const { id } = await connect(first);
  await first.receiver.atLeast(1);
  await first.kit.close();
  first.receiver.answerWith(204);
  const second = await startLab({ data, retries: 'fast' }, false);
  try {
    const [delivery] = await wait(second, { entityId: id });
    assert.equal(delivery?.state, 'acknowledged');
    const ids = first.receiver.received.map(({ headers }) => headers['webhook-id']);
    assert.equal(new Set(ids).size, 1);
  } finally {
    await second.close();
    await first.receiver.close();
    await rm(folder, { recursive: true });
  }
});

test('of two replicas on one PostgreSQL, exactly one delivers each event, and both deliver some', async () => {
  const database = await freshDatabase();
  const one = await startLab({ database, retries: 'fast' });
  const two = await startLab({ database, retries: 'fast' }, false);
  try {
    await one.control('POST', '/state/assignments', { experience: 'desk', targetType: 'ACCOUNT', target: 'north' });
    await Promise.all(
      Array.from({ length: 60 }, (_, index) => (index % 2 ? one : two).control('POST', '/state/users', { account: 'north' })),
    );
    const delivered = await wait(one, { count: 61, timeoutMs: 20_000 });
    assert.equal(delivered.length, 61);
    const ids = one.receiver.received.map(({ headers }) => headers['webhook-id']);
    assert.equal(ids.length, new Set(ids).size);
    assert.equal(ids.length, 61);
  } finally {
    await two.close();
    await one.close();
  }
});
