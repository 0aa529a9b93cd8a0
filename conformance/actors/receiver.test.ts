import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { freePort } from '../../src/store/testing/free-port.ts';
import { startReceiver } from './receiver.ts';

const HOST = '127.0.0.1';
const receiver = await startReceiver({ host: HOST, port: 0 });
after(() => receiver.close());

const postTo = (url: string, body: string | Uint8Array<ArrayBuffer> = '{}', headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', headers, body });

test('a delivery is acknowledged with 204, without a content-length, and the connection stays open', async () => {
  const { headers, status } = await postTo(receiver.openMailbox().url);
  assert.deepEqual([status, headers.get('content-length'), headers.get('keep-alive')], [204, null, 'timeout=600']);
});

test('an empty response has content-length 0, unless its status forbids content', async () => {
  const mailbox = receiver.openMailbox();
  mailbox.setReaction(() => ({ status: 500 }));
  const { headers, status } = await postTo(mailbox.url);
  assert.deepEqual([status, headers.get('content-length')], [500, '0']);
});

const bodies: [string, string | Uint8Array<ArrayBuffer>, Record<string, string>][] = [
  ['that is compressed', gzipSync('{"type":"a"}'), { 'content-encoding': 'gzip' }],
  ['that begins with a byte order mark', '\uFEFF{"type":"a"}', {}],
];
for (const [what, body, headers] of bodies) {
  test(`the receiver parses a body ${what}`, async () => {
    const mailbox = receiver.openMailbox();
    await postTo(mailbox.url, body, headers);
    assert.deepEqual(mailbox.deliveries[0]?.json, { type: 'a' });
  });
}

test('the receiver does not change a body that does not match its content-encoding', async () => {
  const mailbox = receiver.openMailbox();
  await postTo(mailbox.url, '{"type":"a"}', { 'content-encoding': 'gzip' });
  assert.deepEqual(mailbox.deliveries[0]?.json, { type: 'a' });
});

for (const prefix of ['', '/hooks']) {
  test(`a delivery to /hooks/events is received if the proxy forwards ${prefix || 'no prefix'}`, async () => {
    const port = await freePort();
    const behind = await startReceiver({ host: HOST, port, publicUrl: 'http://public.test/hooks' });
    try {
      const mailbox = behind.openMailbox('/events');
      assert.equal(mailbox.url, 'http://public.test/hooks/events');
      await postTo(`http://${HOST}:${port}${prefix}/events`);
      assert.equal(mailbox.deliveries.length, 1);
    } finally {
      await behind.close();
    }
  });
}
