import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { createKit, type Kit } from '../kit.ts';
import { controlClient } from './control-client.ts';

let kit: Kit;
before(async () => {
  kit = await createKit({ port: 0 });
});
after(() => kit.close());

const saidAt = (url: string) =>
  controlClient(url)
    .get('/clock')
    .then(
      () => 'good',
      (error: Error) => error.message,
    );

test('slashes at the end of an address are no path', async () => {
  assert.deepEqual([await saidAt(`${kit.url}/`), await saidAt(`${kit.url}//`)], ['good', 'good']);
});

test('an address with a user is refused before anything is asked, without the password', async () => {
  const said = await saidAt(kit.url.replace('//', '//evil:canary@'));
  assert.equal(said, `--url is an address without a user before the host: ${kit.url}. A control token is given with --control-token.`);
});

test('an address with a query or a fragment is refused with the one that would be right', async () => {
  for (const rest of ['?a=b', '/?a=b', '#top'])
    assert.equal(await saidAt(kit.url + rest), `--url is an address without what follows its path: ${kit.url}, not ${kit.url}${rest}.`);
});

test('what is no address of http is none of a kit', async () => {
  for (const url of ['localhost:4010', 'ftp://127.0.0.1', 'kit', ''])
    assert.equal(await saidAt(url), `--url is an address such as http://127.0.0.1:4010, not ${url}.`);
});

test('below a path of the service the control API is not said to be off', async () => {
  for (const path of ['/experience', '/_control']) {
    const said = await saidAt(kit.url + path);
    assert.equal(
      said.replaceAll(kit.url, 'KIT'),
      `There is no control API at KIT${path}. --url is the address of the kit without a path, KIT, or the public URL that it was started with.`,
    );
  }
});

test('a public URL may have a path, which a proxy takes away', async () => {
  const proxy = createServer(async (request, response) => {
    const { status, headers, body } = await fetch(kit.url + request.url?.replace(/^\/kit/, ''), { method: request.method as string });
    response.writeHead(status, { 'cache-control': headers.get('cache-control') ?? '' });
    Readable.fromWeb(body as never).pipe(response);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  assert.equal(await saidAt(`http://127.0.0.1:${port}/kit`), 'good');
  proxy.closeAllConnections();
  proxy.close();
});
