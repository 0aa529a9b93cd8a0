import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createKit, type Kit } from '../kit.ts';

let kit: Kit;
before(async () => {
  kit = await createKit({ port: 0 });
});
after(() => kit.close());

const BROWSER_HEADERS = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

test('GET / redirects a browser to the console and returns JSON to other clients', async () => {
  const response = await fetch(`${kit.url}/`, { headers: BROWSER_HEADERS, redirect: 'manual' });
  assert.deepEqual([response.status, response.headers.get('location'), response.headers.get('vary')], [302, './_console/', 'Accept']);
  const home = (await (await fetch(`${kit.url}/`)).json()) as { console: string };
  assert.equal(home.console, `${kit.url}/_console/`);
  assert.equal((await fetch(home.console)).status, 200);
});

test('/_console without a slash redirects to the console', async () => {
  const response = await fetch(`${kit.url}/_console`);
  assert.deepEqual([response.status, response.url], [200, `${kit.url}/_console/`]);
});

test("every console path returns the page, and the page's policy forbids other origins", async () => {
  for (const path of ['/', '/requests', '/requests/0af7651916cd43dd8448eb211c80319c', '/no/such/page', '/requests/']) {
    const response = await fetch(`${kit.url}/_console${path}`);
    assert.equal(response.status, 200, path);
    assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
    assert.equal(response.headers.get('cache-control'), 'no-cache');
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    const policy = response.headers.get('content-security-policy') ?? '';
    for (const directive of ["default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"])
      assert.ok(policy.includes(directive), directive);
    const html = await response.text();
    assert.doesNotMatch(html, /<style|style=|<script(?! type="module" src=)|\son\w+=/);
    const assets = [...html.matchAll(/(?:src|href)="(\.[^"]+)"/g)].map(([, address = '']) => new URL(address, response.url).href);
    assert.equal(assets.length, 2);
    for (const asset of assets) {
      const file = await fetch(asset);
      assert.equal(file.status, 200, asset);
      assert.equal(file.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    }
  }
});

test('a missing file, a path outside the folder, and methods other than GET and HEAD are refused', async () => {
  for (const path of ['/assets/no-such.js', '/assets/', '/assets/%2e%2e%2findex.html', '/assets/..%2f..%2f..%2fpackage.json'])
    assert.equal((await fetch(`${kit.url}/_console${path}`)).status, 404, path);
  const response = await fetch(`${kit.url}/_console/`, { method: 'POST' });
  assert.deepEqual([response.status, response.headers.get('allow')], [405, 'GET, HEAD, OPTIONS']);
});

test('requests for the console are not in the journal', async () => {
  await fetch(`${kit.url}/_console/`);
  const entries = (await (await fetch(`${kit.url}/_control/requests`)).json()) as { path: string }[];
  assert.deepEqual(
    entries.filter(({ path }) => path.startsWith('/_console')),
    [],
  );
});

test("a refusal's Link header has the URL of the explanation, and is exposed to other origins", async () => {
  const response = await fetch(`${kit.url}/users/none`);
  const { traceId, type, instance } = (await response.json()) as Record<string, string>;
  assert.equal(response.headers.get('link'), `</_console/requests/${traceId}>; rel="help"`);
  assert.match(response.headers.get('access-control-expose-headers') ?? '', /\bLink\b/);
  assert.doesNotMatch(`${type} ${instance}`, /_console/);
  const page = await fetch(new URL(`/_console/requests/${traceId}`, response.url));
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
  // The journal does not contain the first request, and the second succeeds, so neither response links to an explanation.
  const others = ['/_control/no-such', '/openapi.json'];
  for (const path of others) assert.equal((await fetch(kit.url + path)).headers.get('link'), null, path);
});

test('without the control API there is no console, and GET / returns a page', async () => {
  await using closed = await createKit({ port: 0, control: false });
  const refusal = await fetch(`${closed.url}/_console/`);
  assert.deepEqual([refusal.status, refusal.headers.get('link')], [404, null]);
  const response = await fetch(`${closed.url}/`, { headers: BROWSER_HEADERS });
  assert.deepEqual([response.url, response.status], [`${closed.url}/`, 200]);
  const home = await (await fetch(`${closed.url}/`)).text();
  assert.doesNotMatch(home, /_con/);
});

test("the compressed size of the console's files is at most 84 KB", () => {
  const folder = 'dist/console/assets';
  const sizes = readdirSync(folder).map((file) => [file, gzipSync(readFileSync(`${folder}/${file}`)).length] as const);
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  assert.ok(total <= 84_000, `The console has ${total} bytes: ${sizes.map(([file, size]) => `${file} ${size}`).join(', ')}`);
});
