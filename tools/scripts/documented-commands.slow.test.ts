import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { createKit } from '../../src/kit.ts';
import { checkPage, pagesWithCommands, replaceVariableValues } from './documented-commands.ts';

suite('every documented command prints the output that its page shows', { concurrency: 3 }, () => {
  for (const page of pagesWithCommands) test(page, async () => assert.deepEqual(await checkPage(page), []));
});

for (const page of pagesWithCommands) {
  test(`${page} shows example files unchanged, and tokens with the documented issuer`, () => {
    const text = readFileSync(page, 'utf8');
    for (const [, file = '', shown] of text.matchAll(/```(?:js|yaml) (\S+)\n([\s\S]*?)```/g))
      assert.equal(shown, readFileSync(file, 'utf8'));
    const claims = [...text.matchAll(/eyJ[\w-]+\.([\w-]+)\.[\w-]+/g)].map(([, payload = '']) =>
      Buffer.from(payload, 'base64url').toString(),
    );
    const hosts = claims.flatMap((json) => json.match(/127\.0\.0\.1:\d+/g) ?? []);
    assert.deepEqual(
      hosts.filter((host) => host !== '127.0.0.1:4010'),
      [],
    );
  });
}

test("the README's curl command succeeds in a kit with the README's example world", async () => {
  const kit = await createKit({ port: 0, fixtures: 'fixtures/small-world.yaml' });
  const [, path = ''] =
    /http:\/\/127\.0\.0\.1:4010(\/experience\/connections\?telephoneNumber=[^"]+)/.exec(readFileSync('README.md', 'utf8')) ?? [];
  const { full } = await kit.tokens();
  const response = await fetch(`${kit.url}${path}`, { headers: { authorization: `Bearer ${full}` } });
  const body = await response.json();
  await kit.close();
  assert.deepEqual([response.status, (body as { entities: unknown[] }).entities], [200, []]);
});

test('the comparison of outputs ignores only values that differ between runs, such as ids and times', () => {
  assert.equal(replaceVariableValues('{"status":409,"traceId":"0123456789abcdef0123456789abcdef"}'), '{"status":409,"traceId":"<trace>"}');
  assert.notEqual(replaceVariableValues('{"status":409}'), replaceVariableValues('{"status":422}'));
});
