import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { freePort } from '../../src/store/testing/free-port.ts';
import { startReceiver } from './receiver.ts';

const HOST = '127.0.0.1';
const receiver = await startReceiver({ host: HOST, port: 0 });
after(() => receiver.close());

const post = (url: string, body: string | Uint8Array<ArrayBuffer> = '{}', headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', headers, body });

test('a delivery is acknowledged with 204, without a content-length, and the connection is kept', async () => {
  const { headers, status } = await post(receiver.mailbox().url);
  assert.deepEqual([status, headers.get('content-length'), headers.get('keep-alive')], [204, null, 'timeout=600']);
});

test('an answer that may have content says that it has none', async () => {
  const mailbox = receiver.mailbox();
  mailbox.answer(() => ({ status: 500 }));
  const { headers, status } = await post(mailbox.url);
  assert.deepEqual([status, headers.get('content-length')], [500, '0']);
});

const bodies: [string, string | Uint8Array<ArrayBuffer>, Record<string, string>][] = [
  ['compressed', gzipSync('{"type":"a"}'), { 'content-encoding': 'gzip' }],
  ['after a byte order mark', '\uFEFF{"type":"a"}', {}],
];
for (const [what, body, headers] of bodies) {
  test(`a body that comes ${what} is read`, async () => {
    const mailbox = receiver.mailbox();
    await post(mailbox.url, body, headers);
    assert.deepEqual(mailbox.deliveries[0]?.json, { type: 'a' });
  });
}

test('a body that is not compressed as it says is kept as it came', async () => {
  const mailbox = receiver.mailbox();
  await post(mailbox.url, '{"type":"a"}', { 'content-encoding': 'gzip' });
  assert.deepEqual(mailbox.deliveries[0]?.json, { type: 'a' });
});

for (const passedOn of ['', '/hooks']) {
  test(`what comes to /hooks/events is heard where ${passedOn || '/'} is passed on`, async () => {
    const port = await freePort();
    const behind = await startReceiver({ host: HOST, port, publicUrl: 'http://public.test/hooks' });
    try {
      const mailbox = behind.mailbox('/events');
      assert.equal(mailbox.url, 'http://public.test/hooks/events');
      await post(`http://${HOST}:${port}${passedOn}/events`);
      assert.equal(mailbox.deliveries.length, 1);
    } finally {
      await behind.close();
    }
  });
}

test('a given address is silent until something comes to it; any other, until something comes to one that nobody gave', async () => {
  const fresh = await startReceiver({ host: HOST, port: 0 });
  try {
    const [given, other, third] = [fresh.mailbox('/events'), fresh.mailbox(), fresh.mailbox()];
    const silent = () => [given.isSilent, other.isSilent, third.isSilent];
    await post(new URL('/nobody', given.url).href);
    assert.deepEqual(silent(), [true, true, true]);
    await post(given.url);
    assert.deepEqual(silent(), [false, true, true]);
    await post(other.url);
    assert.deepEqual(silent(), [false, false, false]);
  } finally {
    await fresh.close();
  }
});
