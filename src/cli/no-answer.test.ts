import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { createKit, type Kit } from '../kit.ts';
import { controlClient } from './control-client.ts';

let kit: Kit;
let other: Server;
let answer: (socket: Socket) => void;
before(async () => {
  kit = await createKit({ port: 0 });
  other = createServer((socket) => socket.on('error', () => socket.destroy()).once('data', () => answer(socket))).listen(0, '127.0.0.1');
  await once(other, 'listening');
});
after(async () => {
  await kit.close();
  other.close();
});

const saidAt = (url: string, controlToken?: string) =>
  controlClient(url, controlToken)
    .get('/clock')
    .then(
      () => 'good',
      (error: Error) => error.message,
    );
async function urlOfClosed(): Promise<string> {
  const closed = await createKit({ port: 0 });
  await closed.close();
  return closed.url;
}
function saidByOther(how: typeof answer): Promise<string> {
  answer = how;
  return saidAt(`http://127.0.0.1:${(other.address() as AddressInfo).port}`);
}

test('where nobody listens there is no kit, at each of the addresses of a name', async () => {
  const { port } = new URL(await urlOfClosed());
  for (const host of ['127.0.0.1', 'localhost'])
    assert.match(await saidAt(`http://${host}:${port}`), /^No kit answers at http:\S+ \(.*ECONNREFUSED.*\)\. Start one with: xpk start$/);
});

test('a control token that no header can have is not sent, and not said', async () => {
  for (const token of ['ünï日本-canary', 'canary-canary\ncanary']) {
    const said = await saidAt(kit.url, token);
    assert.match(
      said,
      /^The control token cannot be sent: it is a line of Latin characters\. See --control-token and XPK_CONTROL_TOKEN\.$/,
    );
  }
  assert.equal(await saidAt(kit.url, 'ünï-Latin'), 'good');
});

test('https to what speaks http is told in a line, with the address that would be right', async () => {
  const said = await saidAt(kit.url.replace('http:', 'https:'));
  assert.match(said, /^What answers at https:\S+ speaks no https, and a kit by itself speaks http: http:\S+$/);
  assert.ok(said.endsWith(kit.url));
});

test('a port that fetch blocks is told as that', async () => {
  assert.match(await saidAt('http://127.0.0.1:6000'), /^No kit answers at http:\S+:6000: fetch blocks this port/);
});

test('what does not speak HTTP is no kit', async () => {
  const said = await saidByOther((socket) => socket.end('220 mail.test ready\r\n'));
  assert.match(said, /^What answers at http:\S+ is no kit: it does not speak HTTP: [^\n]+ xpk start$/);
});

test('a connection that ends without an answer, or amid one, is told as that', async () => {
  const ends = [(socket: Socket) => socket.destroy(), (socket: Socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{')];
  for (const end of ends)
    assert.match(await saidByOther(end), /^http:\S+ gave no answer \([^\n]+\)\. Is it a kit\? One is started with: xpk start$/);
});
