import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decisions } from '../contract/generated/decisions-table.ts';
import { gates } from '../contract/generated/gates.ts';
import { rules } from '../contract/generated/rules-table.ts';
import { createKit, type Kit } from '../kit.ts';

let kit: Kit;
before(async () => {
  kit = await createKit({ port: 0 });
});
after(() => kit.close());

test('the contract is served as it was bundled', async () => {
  for (const [path, version] of [
    ['/openapi.json', 'openapi'],
    ['/asyncapi.json', 'asyncapi'],
  ] as const) {
    const document = (await (await fetch(kit.url + path)).json()) as Record<string, { version?: string }>;
    assert.equal(document.info?.version, '1.0.0');
    assert.ok(document[version]);
  }
});

test('every problem type that the kit can name leads somewhere', async () => {
  for (const id of [...Object.keys(rules), ...Object.keys(decisions), ...Object.keys(gates)]) {
    const response = await fetch(`${kit.url}/problems/${id}`);
    assert.equal(response.status, 200, id);
    assert.equal(((await response.json()) as { id: string }).id, id);
  }
});

test('a browser gets a page, in which nothing is markup that was not meant to be', async () => {
  const response = await fetch(`${kit.url}/problems/assignments.create.duplicate`, { headers: { accept: 'text/html' } });
  assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(await response.text(), /<h1>assignments\.create\.duplicate<\/h1>/);
});

test('an unknown problem type is a problem itself', async () => {
  for (const id of ['no.such', 'constructor', '__proto__', '%3Cscript%3E']) {
    const response = await fetch(`${kit.url}/problems/${id}`, { headers: { accept: 'text/html' } });
    assert.equal(response.status, 404);
    assert.equal(response.headers.get('content-type'), 'application/problem+json');
  }
});

test('pages of any origin may use the API, and none the control API', async () => {
  const origin = { origin: 'https://shop.example' };
  const api = await fetch(`${kit.url}/users`, { headers: origin });
  assert.equal(api.headers.get('access-control-allow-origin'), '*');
  const preflight = await fetch(`${kit.url}/experience/assignments`, {
    method: 'OPTIONS',
    headers: { ...origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization,content-type' },
  });
  assert.equal(preflight.status, 204);
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /authorization/);
  const control = await fetch(`${kit.url}/_control/info`, { headers: origin });
  assert.equal(control.status, 403);
  assert.equal(control.headers.get('access-control-allow-origin'), null);
});
