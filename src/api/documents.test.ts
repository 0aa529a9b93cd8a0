import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
import { decisions } from '../contract/generated/decisions-table.ts';
import { gates } from '../contract/generated/gates.ts';
import { operations } from '../contract/generated/operations.ts';
import { rules } from '../contract/generated/rules-table.ts';
import { createKit, type Kit } from '../kit.ts';
import { version } from '../version.ts';

let kit: Kit;
before(async () => {
  kit = await createKit({ port: 0 });
});
after(() => kit.close());

interface PublishedDocument {
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string; readonly responses: object }>>>>;
}
const fetchDocument = async (url: string): Promise<PublishedDocument> => (await fetch(url)).json() as Promise<PublishedDocument>;
const listOperations = ({ paths }: PublishedDocument) => Object.values(paths).flatMap((item) => Object.values(item));
const OPENAPI_PATHS = { '/openapi.json': '', '/openapi.json?version=3.0': '', '/_control/openapi.json': '', '/auth/openapi.json': '/auth' };

test("a kit's OpenAPI documents have unique operationIds, concrete statuses, inline path items, and the kit's address", async () => {
  for (const [path, folder] of Object.entries(OPENAPI_PATHS)) {
    const document = await fetchDocument(kit.url + path);
    assert.equal(document.info.version, '1.0.0');
    assert.deepEqual(
      document.servers.map(({ url }) => url),
      [kit.url + folder],
    );
    const ids = listOperations(document).map(({ operationId }) => operationId);
    assert.deepEqual([...new Set(ids)], ids);
    for (const { responses } of listOperations(document))
      for (const status of Object.keys(responses)) assert.match(status, /^(\d{3}|default)$/);
    assert.doesNotMatch(JSON.stringify(document), /pathItems|"x-rule"|"x-query-schema"|127\.0\.0\.1:4010/);
  }
});

test('a generator that can read AsyncAPI 3.0, but not 3.1, can read /asyncapi.json', async () => {
  const { asyncapi } = (await (await fetch(`${kit.url}/asyncapi.json`)).json()) as { asyncapi: string };
  assert.equal(asyncapi, '3.0.0');
});

test('no member of the control API is named "in", which C#, Kotlin and Python clients would have to rename', async () => {
  const members: string[] = [];
  JSON.stringify(await (await fetch(`${kit.url}/_control/openapi.json`)).json(), (key, value) => {
    if (key === 'properties') members.push(...Object.keys(value as object));
    return value as unknown;
  });
  assert.ok(members.includes('location'));
  assert.ok(!members.includes('in'));
});

test('no schema has the name of a global type, such as Headers, which a TypeScript client would hide', async () => {
  for (const path of Object.keys(OPENAPI_PATHS)) {
    const { components } = (await (await fetch(kit.url + path)).json()) as { components: { schemas: object } };
    assert.deepEqual(
      Object.keys(components.schemas).filter((name) => name in globalThis),
      [],
    );
  }
});

test('each document is also available as YAML', async () => {
  for (const path of [...Object.keys(OPENAPI_PATHS), '/openapi.json?form=flat', '/asyncapi.json']) {
    const response = await fetch(kit.url + path.replace('.json', '.yaml'));
    assert.match(response.headers.get('content-type') ?? '', /^application\/yaml/);
    assert.deepEqual(parse(await response.text(), { version: '1.1' }), await fetchDocument(kit.url + path), path);
  }
});

test('a tool that can read OpenAPI 3.0, but not 3.1, can read /openapi.json?version=3.0', async () => {
  const text = await (await fetch(`${kit.url}/openapi.json?version=3.0`)).text();
  assert.match(text, /^{"openapi":"3\.0\.3"/);
  assert.doesNotMatch(text, /"type":\[|"type":"null"|"examples":\[|"const":|"identifier":|"summary":"[^"]*","version"/);
  assert.ok(text.includes(`"tokenUrl":"${kit.authUrl}/oauth/token"`));
  assert.deepEqual((await fetchDocument(`${kit.url}/openapi.json`)).paths, (JSON.parse(text) as PublishedDocument).paths);
  assert.equal((await fetch(`${kit.url}/openapi.json?version=2.0`)).status, 400);
});

test('GET /openapi.json?form= returns the document with one path for each operation', async () => {
  for (const form of ['prefixed', 'flat'] as const) {
    const { paths } = await fetchDocument(`${kit.url}/openapi.json?form=${form}`);
    const found = Object.entries(paths).flatMap(([path, item]) => Object.values(item).map(({ operationId }) => [operationId, path]));
    assert.deepEqual(Object.fromEntries(found), Object.fromEntries(Object.entries(operations).map(([id, { forms }]) => [id, forms[form]])));
  }
  assert.equal((await fetch(`${kit.url}/openapi.json?form=round`)).status, 400);
  for (const path of [
    '/openapi.json?forms=flat',
    '/asyncapi.json?version=2.6',
    '/auth/openapi.yaml?version=3.0',
    '/_control/openapi.json?version=3.0',
  ])
    assert.equal((await fetch(kit.url + path)).status, 400, path);
});

test("behind a proxy, a kit's documents contain its public URL", async () => {
  const publicUrl = 'https://kit.test/xpk';
  await using proxied = await createKit({ port: 0, publicUrl });
  for (const [path, folder] of Object.entries(OPENAPI_PATHS)) {
    const { servers } = await fetchDocument(`http://127.0.0.1:${proxied.port}${path}`);
    assert.equal(servers[0]?.url, publicUrl + folder);
  }
});

test("GET / returns the server's addresses as JSON", async () => {
  for (const accept of ['*/*', 'application/json']) {
    const response = await fetch(`${kit.url}/`, { headers: { accept } });
    const { problems, authorizationServer, control, pathForms, ...home } = (await response.json()) as Record<string, string>;
    assert.deepEqual([home.world, home.version, home.api], ['demo', version, kit.url]);
    const documents = [home.openapi, home.asyncapi, home.authorizationServerMetadata, control];
    for (const address of [...documents, problems?.replace('{id}', 'assignments.create.duplicate')])
      assert.equal((await fetch(address as string)).status, 200, address);
    assert.equal(authorizationServer, kit.authUrl);
    for (const address of pathForms as unknown as string[]) assert.equal((await fetch(address)).status, 401, address);
  }
  assert.equal((await fetch(`${kit.url}/`, { method: 'HEAD' })).status, 200);
  assert.equal((await fetch(`${kit.url}/`, { method: 'POST' })).status, 404);
});

test('GET / lists addresses under the public URL, and omits the control API if it is disabled', async () => {
  const closed = await createKit({ port: 0, control: false, publicUrl: 'https://kit.test/xpk' });
  try {
    const text = await (await fetch(`http://127.0.0.1:${closed.port}/`)).text();
    assert.doesNotMatch(text, /_control/);
    assert.match(text, /"openapi":"https:\/\/kit\.test\/xpk\/openapi\.json"/);
  } finally {
    await closed.close();
  }
});

test('if the control API is disabled, GET / returns an HTML page to a browser', async () => {
  await using closed = await createKit({ port: 0, control: false });
  const page = await fetch(`${closed.url}/`, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
  const html = await page.text();
  assert.match(html, /world <strong>demo<\/strong>/);
  for (const [, address = ''] of html.matchAll(/href="(http[^"]+)"/g)) assert.equal((await fetch(address)).status, 200, address);
  assert.doesNotMatch(html, /eyJ|secret/);
});

test('every problem type has a page', async () => {
  for (const id of [...Object.keys(rules), ...Object.keys(decisions), ...Object.keys(gates)]) {
    const response = await fetch(`${kit.url}/problems/${id}`);
    assert.equal(response.status, 200, id);
    assert.equal(((await response.json()) as { id: string }).id, id);
  }
});

test('a browser gets an HTML page for a problem type', async () => {
  const response = await fetch(`${kit.url}/problems/assignments.create.duplicate`, { headers: { accept: 'text/html' } });
  assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(await response.text(), /<h1>assignments\.create\.duplicate<\/h1>/);
});

test('GET for an unknown problem type returns 404 with a problem document', async () => {
  for (const id of ['no.such', 'constructor', '__proto__', '%3Cscript%3E']) {
    const response = await fetch(`${kit.url}/problems/${id}`, { headers: { accept: 'text/html' } });
    assert.equal(response.status, 404);
    assert.equal(response.headers.get('content-type'), 'application/problem+json');
  }
});

test('web pages of any origin may use the API, but not the control API', async () => {
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
