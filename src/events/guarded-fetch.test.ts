import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { fetchWhole } from '../contract/limited-body.ts';
import { listen } from '../store/testing/listen.ts';
import { createGuardedFetch } from './guarded-fetch.ts';

test('a guarded request connects only to the addresses that were checked, and follows no redirect', async () => {
  await using server = await listen(
    createServer((request, response) => {
      if (request.url === '/moved') response.writeHead(302, { location: 'http://169.254.169.254/' });
      response.end(request.headers.host);
    }),
  );
  const addresses = ['127.0.0.1'];
  const { fetch, close } = createGuardedFetch('local', async () => addresses);
  try {
    const url = `http://receiver.test:${server.port}`;
    assert.equal(await (await fetchWhole(url, {}, { fetch })).text(), `receiver.test:${server.port}`);
    assert.equal((await fetchWhole(`${url}/moved`, {}, { fetch })).status, 302);
    addresses[0] = '169.254.169.254';
    await assert.rejects(fetchWhole(url, {}, { fetch }), /receiver\.test resolves to 169\.254\.169\.254: .* link-local/);
  } finally {
    await close();
  }
});
