import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from '../../contract/generated/operations.ts';
import { statusOf } from '../../contract/generated/rules.ts';
import { createKit, type KitSettings } from '../../kit.ts';
import { startExplainingKit } from '../../testing/explaining-kit.ts';

const PAGE = 'http://localhost:5173';
const TOKEN = 'a-control-token-of-this-kit';

async function ask(settings: KitSettings, headers: Readonly<Record<string, string>>) {
  await using kit = await createKit({ port: 0, ...settings });
  const { full } = await kit.tokens();
  const response = await fetch(`${kit.url}/users/2065550001`, { headers: { authorization: `Bearer ${full}`, ...headers } });
  return { status: response.status, applied: response.headers.get('preference-applied') };
}

test("a request that prefers a code gets the operation's problem with this status, and the explanation names the header", async () => {
  const lab = await startExplainingKit();
  await using _ = lab.kit;
  const path = '/users/{users/ada}';
  for (const status of operations.getUser.statuses.filter((each) => each >= 400)) {
    const { text, traceId } = await lab.ask({ path, headers: { prefer: `respond-async, code=${status}` } });
    const problem = JSON.parse(text) as { status: number; type: string };
    assert.equal(problem.status, status);
    assert.equal(statusOf.getUser[problem.type.replace('/problems/', '') as keyof typeof statusOf.getUser], status);
    const explanation = (await lab.control<{ state: { text: string }; request: { name: string }[] }>('GET', `/explain/${traceId}`)).body;
    assert.equal(explanation.state.text, `The Prefer header of the request chose the status ${status}.`);
    assert.deepEqual(
      explanation.request.map(({ name }) => name),
      ['prefer'],
    );
  }
  assert.equal((await lab.ask({ path, headers: { prefer: 'return=minimal' } })).status, 200);
});

for (const code of ['200', '418', '422', 'x']) {
  test(`getUser has no refusal with the status ${code}, so the response lists its statuses`, async () => {
    const lab = await startExplainingKit();
    await using _ = lab.kit;
    const { text } = await lab.ask({ path: '/users/{users/ada}', headers: { prefer: `code=${code}` } });
    const { type, status, detail } = JSON.parse(text) as { type: string; status: number; detail: string };
    assert.deepEqual([type, status], ['/problems/http.preference-not-documented', 400]);
    assert.equal(
      detail,
      `The Prefer header asks for the status ${code}, but the refusals of getUser have the statuses 401, 403, 404, 429, 500, 503.`,
    );
  });
}

const APPLIED = { status: 503, applied: 'code=503' };
const IGNORED = { status: 200, applied: null };
const PERMISSIONS: readonly [title: string, KitSettings, Readonly<Record<string, string>>, typeof APPLIED | typeof IGNORED][] = [
  ['a local kit', {}, {}, APPLIED],
  ['a page of another origin', {}, { origin: PAGE }, IGNORED],
  ['a page of an allowed origin', { allowOrigin: [PAGE] }, { origin: PAGE }, APPLIED],
  ['a kit without a control API', { control: false }, {}, IGNORED],
  ['a kit with a control token, without the token', { controlToken: TOKEN }, {}, IGNORED],
  ['a kit with a control token, with the token', { controlToken: TOKEN }, { 'x-control-token': TOKEN }, APPLIED],
];
for (const [title, settings, headers, expected] of PERMISSIONS) {
  test(`a preferred code is ${expected === APPLIED ? 'applied' : 'ignored'}: ${title}`, async () => {
    assert.deepEqual(await ask(settings, { prefer: 'code="503"', ...headers }), expected);
  });
}
