import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { createKit } from '../../src/kit.ts';

const FOLDER = 'examples/collections';

interface Sent {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly body?: string | undefined;
  readonly status: number;
}

interface PostmanItem {
  readonly name: string;
  readonly item?: readonly PostmanItem[];
  readonly request: { readonly method: string; readonly url: { readonly raw: string }; readonly body?: { readonly raw: string } };
  readonly event: readonly [{ readonly script: { readonly exec: readonly [string] } }];
}

function readPostman(): { requests: Sent[]; variables: Record<string, string> } {
  const { item, variable } = JSON.parse(readFileSync(`${FOLDER}/postman.json`, 'utf8'));
  const list = (items: readonly PostmanItem[]): PostmanItem[] =>
    items.flatMap((entry) => (entry.item === undefined ? [entry] : list(entry.item)));
  const requests = list(item).map(({ name, request: { method, url, body }, event: [{ script }] }) => ({
    name,
    method,
    url: url.raw,
    body: body?.raw,
    status: Number(/status\((\d+)\)/.exec(script.exec[0])![1]),
  }));
  return { requests, variables: Object.fromEntries(variable.map(({ key, value }: Record<'key' | 'value', string>) => [key, value])) };
}

function readBruno(): { requests: Sent[]; variables: Record<string, string> } {
  const readBlocks = (path: string) =>
    Object.fromEntries([...readFileSync(path, 'utf8').matchAll(/^([\w:-]+) \{\n(.*?)^\}$/gms)].map(([, name, text]) => [name, text!]));
  const readPairs = (text: string) =>
    Object.fromEntries([...text.matchAll(/^ {2}([\w.]+): (.*)$/gm)].map(([, name, value]) => [name, value!]));
  const requests = globSync(`${FOLDER}/bruno/*/!(folder).bru`).map((path) => {
    const blocks = readBlocks(path);
    const { name = '', seq } = readPairs(blocks.meta!);
    const method = Object.keys(blocks)[1]!;
    const status = Number(readPairs(blocks.assert!)['res.status']!.replace('eq ', ''));
    return {
      seq: Number(seq),
      name,
      method: method.toUpperCase(),
      url: readPairs(blocks[method]!).url!,
      body: blocks['body:json'],
      status,
    };
  });
  return {
    requests: requests.sort((a, b) => a.seq - b.seq),
    variables: readPairs(readBlocks(`${FOLDER}/bruno/collection.bru`)['vars:pre-request']!),
  };
}

suite('the collections for Postman and Bruno', () => {
  const collections = { Postman: readPostman(), Bruno: readBruno() };

  for (const [name, { requests, variables }] of Object.entries(collections)) {
    test(`every request of the collection for ${name} succeeds in a kit with the demo world, also the second time`, async () => {
      await using kit = await createKit({ port: 0 });
      const headers = { authorization: `Bearer ${variables.token}`, 'content-type': 'application/json' };
      for (const request of [...requests, ...requests]) {
        const { method, body } = request;
        const response = await fetch(request.url.replace('{{baseUrl}}', kit.url), { method, headers, ...(body && { body }) });
        assert.equal(response.status, request.status, `${request.name}: ${await response.text()}`);
      }
    });
  }

  test('have the same requests, at least one of each operation', async () => {
    const describe = ({ requests }: { requests: readonly Sent[] }) =>
      requests.map(({ name, method, url, status }) => [name, method, url, status]);
    assert.deepEqual(describe(collections.Bruno), describe(collections.Postman));
    assert.deepEqual(collections.Bruno.variables, collections.Postman.variables);
    await using kit = await createKit({ port: 0 });
    const { data: operations = [] } = await kit.control.GET('/_control/operations');
    const isOf = (path: string) => new RegExp(`^\\{\\{baseUrl\\}\\}${path.replaceAll(/\{\w+\}/g, '[^/?]+')}(\\?|$)`);
    const missing = operations.filter(
      ({ method, path }) => !collections.Postman.requests.some((sent) => sent.method === method && isOf(path).test(sent.url)),
    );
    assert.deepEqual(missing, []);
  });
});
