import assert from 'node:assert/strict';
import { StatementSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { createIds } from '../clock/ids.ts';
import type { StreamMessage } from '../http/event-stream.ts';
import type { JournalEntry } from '../journal/entry.ts';
import { createJournal, type Journal } from '../journal/journal.ts';
import { createMemoryStore } from '../journal/memory-store.ts';
import { startLab } from '../testing/event-lab.ts';
import type { ControlDeps, StreamResponse } from './handler.ts';
import { streamHandlers } from './stream.ts';
import { type Message, openEventSource } from './testing/event-source.ts';

const lab = await startLab();
after(() => lab.close());

const openStream = (query = '', headers: Record<string, string> = {}, { kit } = lab) =>
  openEventSource(`${kit.url}/_control/stream${query}`, headers);
const assign = ({ control } = lab) =>
  control<{ id: string }>('POST', '/state/assignments', { experience: 'desk', targetType: 'ACCOUNT', target: 'north' });
const unassign = (id: string) => lab.control('DELETE', `/state/assignments/${id}`);
const getPath = ({ data }: Message) => data.path;

test('a stream sends new requests without their secrets, published events and delivery attempts', async () => {
  await using source = await openStream();
  await lab.api('GET', '/users/here?access_token=canary');
  const { id } = await assign();
  const [request, event, delivery] = [await source.next('request'), await source.next('event'), await source.next('delivery')];
  assert.deepEqual([request.data.operationId, getPath(request)], ['getUser', '/users/here?access_token=[redacted]']);
  assert.doesNotMatch(JSON.stringify(request.data), /canary|Bearer ey/);
  assert.deepEqual([event.data.type, event.data.entityId], ['experience.assignment.created', id]);
  assert.deepEqual([delivery.data.entityId, delivery.data.status, delivery.data.state], [id, 204, 'acknowledged']);
  await unassign(id);
  const { headers } = source.response;
  assert.match(headers.get('content-type') ?? '', /^text\/event-stream/);
});

test('the query parameter `only` selects the kinds of messages in a stream', async () => {
  await using source = await openStream('?only=events,%20deliveries');
  await lab.api('GET', '/users/not-sent');
  const { id } = await assign();
  await unassign(id);
  const events = [await source.next(), await source.next(), await source.next(), await source.next()].map(({ event }) => event);
  assert.deepEqual(events.toSorted(), ['delivery', 'delivery', 'event', 'event']);
});

test('a stream with `journal` reports the newest journal number instead of each journal entry', async () => {
  await using source = await openStream('?only=journal,events');
  const { data: before } = await source.next('journal');
  await lab.api('GET', '/users/one');
  await lab.api('GET', '/users/two');
  let { data: latest } = await source.next();
  while (latest.newest !== (before.newest as number) + 2) ({ data: latest } = await source.next('journal'));
  const { id } = await assign();
  assert.equal((await source.next('event')).data.entityId, id);
  await unassign(id);
});

test('a new stream of requests omits earlier requests, even if a stream of events is already open', async () => {
  await using _ = await openStream('?only=events');
  await lab.api('GET', '/users/before');
  await using requests = await openStream('?only=requests');
  await lab.api('GET', '/users/after');
  assert.equal(getPath(await requests.next()), '/users/after');
});

test('a stream is refused for a foreign origin and for an unknown Last-Event-ID', async () => {
  const getStatus = async (headers: Record<string, string>) => (await fetch(`${lab.kit.url}/_control/stream`, { headers })).status;
  assert.deepEqual([await getStatus({ 'last-event-id': '17' }), await getStatus({ origin: 'https://elsewhere.example' })], [400, 403]);
});

test('the response to a HEAD request for a stream has no body', async () => {
  const head = await fetch(`${lab.kit.url}/_control/stream`, { method: 'HEAD' });
  assert.deepEqual([head.status, await head.text()], [200, '']);
});

test('a stream with Last-Event-ID continues after the message with this id, for every kind of message', async () => {
  const first = await openStream();
  await lab.api('GET', '/users/seen');
  const { id: lastEventId } = await first.next('request');
  await first.close();
  await lab.api('GET', '/users/missed');
  const { id } = await assign();
  await lab.settled();
  await using second = await openStream('', { 'last-event-id': lastEventId });
  assert.equal(getPath(await second.next('request')), '/users/missed');
  assert.equal((await second.next('event')).data.entityId, id);
  assert.equal((await second.next('delivery')).data.entityId, id);
  await unassign(id);
});

test('a stream that continues after a restart sends the number of requests deleted from the journal, and then all requests in the journal', async () => {
  const [, ...others] = (await readLastId()).split('.');
  const elsewhere = ['00000000-0000-7000-8000-000000000000', ...others].join('.');
  await lab.control('DELETE', '/requests');
  await lab.api('GET', '/users/kept');
  await using source = await openStream('?only=requests', { 'last-event-id': elsewhere });
  const [dropped, kept] = [await source.next(), await source.next()];
  assert.deepEqual([dropped.event, dropped.data.requests, getPath(kept)], ['dropped', Number(kept.data.number) - 1, '/users/kept']);
});

async function readLastId(): Promise<string> {
  await using source = await openStream('?only=requests');
  await lab.api('GET', '/users/last');
  const { id } = await source.next();
  return id;
}

test('closing a kit ends its streams', async () => {
  const other = await startLab();
  const source = await openStream('', {}, other);
  await Promise.all([other.close(), source.waitForEnd()]);
});

test('if the journal deletes requests before a slow reader receives them, the stream reports the number of deleted requests', async () => {
  const journal = createJournal(createMemoryStore(3));
  const deps = { journal, ids: createIds(), store: lab.kit.store } as unknown as ControlDeps;
  const addLater = () => {
    for (let number = 2; number <= 9; number++) addEntry(journal, `/${number}`);
  };
  const stream = await followStream('requests', deps, { onFirstMessage: addLater });
  addEntry(journal, '/1');
  const taken = (await stream.waitForMessages(5)).map(({ event, data }) => (event === 'dropped' ? data : (data as JournalEntry).path));
  assert.deepEqual(taken, ['/1', { requests: 5 }, '/7', '/8', '/9']);
  await stream.end();
});

test('a stream that continues sends the requests that were made while no stream of requests was open', async () => {
  const journal = createJournal(createMemoryStore(2000));
  const deps = { journal, ids: createIds(), store: lab.kit.store } as unknown as ControlDeps;
  // Keeps the feed open.
  const events = await followStream('events', deps);
  const first = await followStream('requests', deps);
  for (const path of ['/1', '/2']) addEntry(journal, path);
  const lastEventId = (await first.waitForMessages(2))[1]?.id;
  await first.end();
  addEntry(journal, '/3');
  const second = await followStream('requests', deps);
  // The feed keeps only 1000 entries, so it removes the first one.
  for (let n = 4; n <= 1002; n++) addEntry(journal, `/${n}`);
  await second.waitForMessages(999);
  const third = await followStream('requests', deps, { lastEventId });
  const [message] = await third.waitForMessages(1);
  assert.equal((message?.data as JournalEntry | undefined)?.path, '/3');
  await Promise.all([events.end(), second.end(), third.end()]);
});

/** Follows a stream without HTTP, so that `end` can wait until the stream has ended. */
async function followStream(
  only: string,
  deps: ControlDeps,
  { lastEventId, onFirstMessage }: { lastEventId?: string | undefined; onFirstMessage?: () => void } = {},
) {
  const [messages, ended] = [[] as StreamMessage[], new AbortController()];
  let [count, enough] = [0, Promise.withResolvers<void>()];
  const answer = await streamHandlers.streamEverything({ params: {}, query: { only }, body: undefined, lastEventId }, deps);
  const sent = (answer as StreamResponse).stream({
    ended: ended.signal,
    async send(message) {
      messages.push(message);
      if (messages.length === 1) onFirstMessage?.();
      if (messages.length >= count) enough.resolve();
    },
  });
  return {
    async waitForMessages(expected: number): Promise<readonly StreamMessage[]> {
      [count, enough] = [expected, Promise.withResolvers()];
      if (messages.length < count) await enough.promise;
      return messages;
    },
    end(): Promise<void> {
      ended.abort();
      return sent;
    },
  };
}

test('additional streams cause no additional SQL statements', async (t) => {
  /** Counts the SQL statements of an assignment and of the streams that report it. */
  const countStatements = async (streams: number) => {
    const sources = await Promise.all(Array.from({ length: streams }, () => openStream('?only=deliveries')));
    const counters = (['all', 'get', 'iterate', 'run'] as const).map((method) => t.mock.method(StatementSync.prototype, method));
    const { id } = await assign();
    for (const source of sources) assert.equal((await source.next()).data.entityId, id);
    const reads = counters.flatMap(({ mock }) => mock.calls).map((call) => (call.this as unknown as StatementSync).sourceSQL);
    t.mock.restoreAll();
    await unassign(id);
    await lab.settled();
    await Promise.all(sources.map((source) => source.close()));
    return reads.filter((text) => /from "delivery_attempts"/.test(text)).length;
  };
  const [one, many] = [await countStatements(1), await countStatements(20)];
  assert.ok(many <= one + 2, `${one} SQL statements for one stream, ${many} for 20 streams`);
});

function addEntry(journal: Journal, path: string): void {
  const build = (number: number) => ({ ...SAMPLE_ENTRY, path, number });
  journal.add({ ...SAMPLE_ENTRY, path, credentials: [], buildEntry: build, buildSummary: build });
}

const SAMPLE_ENTRY = { traceId: 't', at: '', door: 'service', method: 'GET', operationId: 'getUser', status: 200, durationMs: 1 } as const;
