import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Lab, startLab } from '../../testing/event-lab.ts';
import { createXpk } from '../testing/run.ts';

let lab: Lab;
before(async () => {
  lab = await startLab();
});
after(() => lab.close());
const { xpk, json } = createXpk(() => ['--url', lab.kit.url]);

/** Connects accounts while deliveries are held. Returns the connections' ids, and a function that lists those that were sent since. */
async function holdConnections() {
  await xpk('mode all --hold');
  const earlier = lab.receiver.received.length;
  const connections: string[] = [];
  for (const account of ['north', 'south']) connections.push((await json(`state add connections account=${account} experience=desk`)).id);
  return {
    connections,
    listSent: () => lab.receiver.received.slice(earlier).map(({ event }) => (event.data as { connectionId: string }).connectionId),
    async remove() {
      await xpk('mode all --none');
      for (const id of connections) await xpk(`state delete connections ${id}`);
      await lab.settled();
    },
  };
}

test('xpk wait --since ignores deliveries before a position', async () => {
  await json('trigger experience.connection.created');
  await xpk('wait');
  const { position } = await json('clock');
  await assert.rejects(xpk(`wait --timeout 0s --since ${position}`), /^Error: \[1\] xpk: Waited 0 ms: 0 of 1 deliveries are acknowledged/);
  await xpk('trigger experience.connection.activated');
  const found = (await json(`wait --since ${position}`)) as { type: string }[];
  assert.deepEqual(
    found.map(({ type }) => type),
    ['experience.connection.activated'],
  );
  await xpk('reset');
  await lab.subscribe();
});

test('xpk release sends held deliveries in the order that --order sets, or in the order of the given ids', async () => {
  const newestFirst = await holdConnections();
  await xpk('release all --order newest-first --count 1');
  await xpk('release all');
  assert.deepEqual(newestFirst.listSent(), newestFirst.connections.toReversed());
  await newestFirst.remove();
  const inOrder = await holdConnections();
  const held = ((await json('deliveries --state held')) as { id: string }[]).map(({ id }) => id);
  assert.deepEqual(await json(`release all ${held.join(' ')}`), { released: held, held: 0 });
  assert.deepEqual(inOrder.listSent(), inOrder.connections.toReversed());
  await inOrder.remove();
});

test('xpk release stops after --max-wait, and the deliveries that it has not sent stay held', async () => {
  const { listSent } = await holdConnections();
  let respond = () => {};
  lab.receiver.answerWith((response) => {
    respond = () => void response.writeHead(204).end();
  });
  const sent = lab.receiver.received.length;
  assert.match(await xpk('release all --max-wait 100ms'), /Z +pending +0 .*\nReleased 1\. 1 delivery is still held\.$/);
  await lab.receiver.atLeast(sent + 1);
  respond();
  assert.equal(listSent().length, 1);
});
