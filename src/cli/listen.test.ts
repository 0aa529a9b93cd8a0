import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { type TestContext, test } from 'node:test';
import { LISTENER_URL } from '../events/relay.ts';
import { startReceiver } from '../events/testing/receiver.ts';
import { createKit, type Kit, type KitSettings } from '../kit.ts';
import { connectKit } from '../sdk/connect.ts';
import { listen } from '../store/testing/listen.ts';
import { startXpk, waitForExit } from './testing/processes.ts';

type Test = Pick<TestContext, 'after'>;
const TOKEN = 'a-secret-of-the-test';
const TYPE = 'provisioning.user.created';

async function start(t: Test, settings: KitSettings = {}): Promise<Kit> {
  const kit = await createKit({ port: 0, retries: 'fast', ...settings });
  t.after(() => kit.close());
  return kit;
}

async function receive(t: Test) {
  const receiver = await startReceiver();
  t.after(receiver.close);
  return receiver;
}

function startListener(t: Test, ...args: readonly string[]) {
  const command = startXpk(['listen', ...args]);
  t.after(() => command.kill('SIGKILL'));
  const errors: string[] = [];
  const [out, err] = [command.stdout!, command.stderr!].map((input) => createInterface({ input })[Symbol.asyncIterator]());
  const exited = once(command, 'exit') as Promise<[number | null]>;
  return {
    nextLine: async () => (await out!.next()).value as string,
    /** Waits for a line of standard error. */
    async waitFor(pattern: RegExp): Promise<string> {
      for (;;) {
        const { value, done } = await err!.next();
        assert.ok(!done, `The command ended without ${pattern}: ${errors.join('\n')}`);
        errors.push(value);
        if (pattern.test(value)) return errors.join('\n');
      }
    },
    kill: (signal: NodeJS.Signals) => void command.kill(signal),
    exited: exited.then(([status]) => status),
  };
}

const trigger = async (kit: Kit) => {
  const { deliveries } = await kit.trigger(TYPE, { account: 'northwind' });
  return deliveries.find(({ subscription }) => subscription === 'mine')!.id;
};
const readAttempts = async (kit: Kit, deliveryId: string) => {
  const { data } = await kit.control.GET('/_control/deliveries/{deliveryId}', { params: { path: { deliveryId } } });
  return data.attemptLog.map(({ status, error }) => status ?? error);
};
const waitUntilAcknowledged = (kit: Kit) =>
  kit.control.POST('/_control/deliveries/wait', { body: { subscription: 'mine', state: 'acknowledged', timeoutMs: 30_000 } });
const listNames = async (kit: Kit) => (await kit.control.GET('/_control/subscriptions')).data.map(({ alias }) => alias);

test('xpk listen passes deliveries on and the local status back, prints a line for each, and removes its subscription', async (t) => {
  const [kit, receiver] = [await start(t, { controlToken: TOKEN }), await receive(t)];
  receiver.answerWith((response) => void response.writeHead(receiver.received.length === 1 ? 500 : 204).end());
  const args = ['--url', kit.url, '--control-token', TOKEN, '--subscription', 'mine', '--forward-to', receiver.url];
  const xpk = startListener(t, ...args, '--types', TYPE, '--provider', 'acme', '--json');
  const started = await xpk.waitFor(/^Listening to mine \(/);
  const deliveryId = await trigger(kit);
  const lines = [await xpk.nextLine(), await xpk.nextLine()].map((line) => JSON.parse(line) as Record<string, unknown>);
  const [first] = receiver.received;
  const id = first!.headers['webhook-id'];
  assert.deepEqual(
    lines.map(({ ms, ...line }) => [typeof ms, line]),
    [500, 204].map((status) => ['number', { type: TYPE, id, status }]),
  );
  await waitUntilAcknowledged(kit);
  assert.deepEqual(await readAttempts(kit, deliveryId), [500, 204]);
  assert.equal(first!.event.type, TYPE);
  assert.doesNotMatch(started + JSON.stringify(lines), new RegExp(TOKEN));
  assert.ok((await listNames(kit)).includes('mine'));
  xpk.kill('SIGINT');
  assert.equal(await xpk.exited, 130);
  assert.ok(!(await listNames(kit)).includes('mine'));
});

test('a local server that does not run is a failed attempt with a reason', async (t) => {
  const kit = await start(t);
  const { url, close } = await listen(createServer());
  await close();
  const xpk = startListener(t, '--url', kit.url, '--subscription', 'mine', '--forward-to', url);
  await xpk.waitFor(/^Listening/);
  const deliveryId = await trigger(kit);
  assert.match(await xpk.nextLine(), /^\S+Z {2}provisioning\.user\.created {2}\S+ {2}connection refused; check .* {2}\d+ ms$/);
  await xpk.nextLine();
  assert.match(String((await readAttempts(kit, deliveryId))[0]), /^connection refused/);
});

test('a listener that is killed while it delivers fails the attempt, and the next one gets the repeat', async (t) => {
  const [kit, receiver] = [await start(t), await receive(t)];
  await kit.control.POST('/_control/subscriptions', { body: { alias: 'mine', provider: 'acme', destinationUrl: LISTENER_URL } });
  receiver.answerWith(() => {});
  const args = ['--url', kit.url, '--subscription', 'mine', '--forward-to', receiver.url];
  const killed = startListener(t, ...args);
  await killed.waitFor(/^Listening/);
  const deliveryId = await trigger(kit);
  await receiver.atLeast(1);
  killed.kill('SIGKILL');
  await killed.exited;
  receiver.answerWith(204);
  const next = startListener(t, ...args);
  await next.waitFor(/^Listening/);
  await waitUntilAcknowledged(kit);
  const attempts = await readAttempts(kit, deliveryId);
  assert.deepEqual([attempts[0], attempts.at(-1)], ['the listener disconnected before it answered', 204]);
  next.kill('SIGTERM');
  assert.equal(await next.exited, 0);
  assert.ok((await listNames(kit)).includes('mine'));
});

test('xpk listen connects again to a kit that was restarted, and ends when the subscription is gone', async (t) => {
  const receiver = await receive(t);
  const first = await createKit({ port: 0 });
  const { port, url } = first;
  const xpk = startListener(t, '--url', url, '--subscription', 'mine', '--forward-to', receiver.url);
  await xpk.waitFor(/^Listening/);
  await first.close();
  await xpk.waitFor(/^xpk: The connection to \S+ ended.* Connecting again in 0\.5 s\.$/);
  await start(t, { port });
  await xpk.waitFor(/^xpk: \S+ refused: There is no subscription "mine"\./);
  assert.equal(await xpk.exited, 1);
});

test('if a second xpk listen gets the deliveries, both say so, and the first one says when it gets them again', async (t) => {
  const publicUrl = 'https://our-tunnel.example.com';
  const [proxy, receiver] = [await start(t, { publicUrl, upstream: { api: 'http://127.0.0.1:1' } }), await receive(t)];
  const args = ['--url', `http://127.0.0.1:${proxy.port}`, '--subscription', 'events', '--forward-to', receiver.url];
  const first = startListener(t, ...args);
  await first.waitFor(/^Listening to https:\/\/our-tunnel\.example\.com\/hooks\/events, [^.]+\. Deliveries go to \S+\.$/);
  const second = startListener(t, ...args);
  await second.waitFor(/^Listening .* Another listener is connected, and gets no deliveries until this one ends\.$/);
  await first.waitFor(/^xpk: Another listener to events has connected, and gets the deliveries until it ends\.$/);
  second.kill('SIGINT');
  assert.equal(await second.exited, 130);
  await first.waitFor(/^Listening/);
});

test('xpk listen works in a world of a kit', async (t) => {
  const [kit, receiver] = [await start(t), await receive(t)];
  await kit.control.POST('/_control/worlds', { body: { name: 'ours' } });
  const args = ['--url', kit.url, '--subscription', 'mine', '--forward-to', receiver.url];
  const xpk = startListener(t, ...args, '--world', 'ours');
  await xpk.waitFor(/^Listening to mine \(\S+\) at \S+\/w\/ours\./);
  await connectKit(`${kit.url}/w/ours`).trigger(TYPE, { account: 'northwind' });
  assert.match(await xpk.nextLine(), / 204 /);
  const { status, stderr } = await waitForExit(startXpk(['listen', ...args, '--world', 'our']));
  assert.deepEqual([status, stderr.trim()], [2, `xpk: ${kit.url} has no world "our". Did you mean "ours"?`]);
});

test('xpk listen refuses what cannot work, without secrets in its output', async (t) => {
  const kit = await start(t, { controlToken: TOKEN });
  const [url, local] = [['--url', kit.url, '--control-token', TOKEN], 'http://127.0.0.1:1/events'];
  for (const [args, expected, exitStatus] of [
    [
      [...url, '--subscription', 'mine', '--experience', 'desc', '--forward-to', local],
      /^xpk: \S+ refused: .*There is no experience "desc"/,
      2,
    ],
    [[...url, '--subscription', 'acme-everything', '--forward-to', local], /has no destination, so the inbox receives its deliveries/, 1],
    [[...url, '--subscription', 'acme-everything', '--types', TYPE, '--forward-to', local], /exists\. Omit --types/, 2],
    [[...url, '--subscription', 'mine', '--forward-to', 'http://ann:local-password@127.0.0.1/'], /user name or password/, 2],
    [['--url', kit.url, '--control-token', 'wrong-secret', '--subscription', 'mine', '--forward-to', local], /^xpk: \S+ refused: /, 1],
  ] as const) {
    const { stderr, status } = await waitForExit(startXpk(['listen', ...args]));
    assert.match(stderr, expected);
    assert.equal(status, exitStatus, stderr);
    assert.doesNotMatch(stderr, new RegExp(`${TOKEN}|wrong-secret|local-password`));
  }
});

test('xpk listen prints the address of the receiver at a proxy, and passes its deliveries on', async (t) => {
  const [proxy, receiver] = [await start(t, { upstream: { api: 'http://127.0.0.1:1' } }), await receive(t)];
  const xpk = startListener(t, '--url', proxy.url, '--subscription', 'events', '--forward-to', receiver.url, '--json');
  assert.equal(
    await xpk.waitFor(/^Listening/),
    `Listening to ${proxy.url}/hooks/events, which the service must call. Deliveries go to ${receiver.url}.`,
  );
  const headers = { 'content-type': 'application/json', 'webhook-id': 'event-1' };
  const delivered = await fetch(`${proxy.url}/hooks/events`, { method: 'POST', headers, body: `{"type":"${TYPE}"}` });
  assert.equal(delivered.status, 204);
  const { ms: _, ...line } = JSON.parse(await xpk.nextLine()) as Record<string, unknown>;
  assert.deepEqual(line, { type: TYPE, id: 'event-1', status: 204 });
  assert.equal(receiver.received[0]!.text, `{"type":"${TYPE}"}`);
});
