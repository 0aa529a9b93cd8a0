import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { createKit, type Kit } from '../kit.ts';
import { listen } from '../store/testing/listen.ts';
import { createXpk, run } from './testing/run.ts';

let kit: Kit;
before(async () => {
  kit = await createKit({ port: 0, login: 'page' });
});
after(() => kit.close());
const { xpk, json, run: runLine } = createXpk(() => ['--url', kit.url]);
const NUMBERS_ASSIGNED = 'connections.delete.numbers-assigned';

test("xpk scenario list prints the status, name and title of all scenarios, or only of one operation's scenarios", async () => {
  const { stdout } = await run('scenario', 'list');
  assert.match(
    stdout,
    /^409 +connections\.delete\.numbers-assigned +One of the account's telephone numbers is assigned to the Experience\.$/m,
  );
  assert.match(stdout, /^ +oauth\.code\.short-lived +The code must be an hour old/m);
  assert.match(stdout, /use xpk start --scenario with one of these names: authorization-down, /);
  const { scenarios } = JSON.parse((await run('scenario', 'list', '--operation', 'getUser', '--json')).stdout);
  assert.ok(scenarios.length > 5 && scenarios.every(({ operation }: { operation: string }) => operation === 'getUser'));
});

test('xpk scenario run prints the commands, the response, the rule and the explanation, and restores the world', async () => {
  const printed = await xpk(`scenario run ${NUMBERS_ASSIGNED}`);
  assert.match(
    printed,
    /^\$ curl -X DELETE 'http:.*\/experience-connections\/[0-9a-f-]{36}' -H "authorization: Bearer \$\(xpk token full/m,
  );
  assert.match(printed, /^ {2}409$/m);
  assert.match(printed, /^Rule {5}connections\.delete\.numbers-assigned \(documented, States and transitions\)$/m);
  const trace = /^Explain {2}xpk explain ([0-9a-f]{32})$/m.exec(printed)?.[1];
  assert.match(await xpk(`explain ${trace}`), /Telephone numbers were still assigned/);
  assert.match(printed, /The world was not changed\.$/);
});

test('xpk scenario run keeps the prepared state with --keep, and otherwise removes it', async () => {
  const countFaults = async () => (await json('fault list')).length;
  assert.match(await xpk('scenario run users.get.fail-closed'), /The world was restored\./);
  assert.equal(await countFaults(), 0);
  const kept = await json('scenario run users.get.fail-closed --keep');
  assert.deepEqual([kept.met, kept.kept, kept.answer.status, kept.rule.level], [true, true, 503, 'documented']);
  assert.equal(await countFaults(), 1);
  await xpk('reset');
});

/** Starts a proxy to the kit that calls `before` ahead of each call that deletes something, and forwards the call if it returns nothing. */
async function openProxy(before: (target: string) => Promise<Response | undefined>) {
  const proxy = createServer(async (incoming, response) => {
    const target = `${kit.url}${incoming.url}`;
    const { host: _, connection: __, 'content-length': ___, ...headers } = incoming.headers as Record<string, string>;
    const content = Buffer.concat(await incoming.toArray());
    const { method = 'GET' } = incoming;
    const early = method === 'DELETE' && target.includes('/_control/') ? await before(target) : undefined;
    const reply = early ?? (await fetch(target, { method, headers, ...(content.length > 0 && { body: content }), redirect: 'manual' }));
    response.writeHead(reply.status, { 'content-type': 'application/json', 'xpk-version': reply.headers.get('xpk-version') ?? '' });
    response.end(await reply.text());
  });
  return listen(proxy);
}
const changeState = (method: string, path: string, body?: object) =>
  fetch(`${kit.url}/_control${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });

test('xpk scenario run does not claim that the world was restored if the kit refused to restore it', async () => {
  const proxy = await openProxy(async () => Response.json({ detail: 'The database is locked.' }, { status: 500 }));
  const { status, stdout } = await run('scenario', 'run', 'users.get.fail-closed', '--url', proxy.url);
  proxy.close();
  assert.equal(status, 1);
  assert.match(
    stdout,
    /^World {4}The world was not restored\. DELETE \/_control\/faults\/\S+ got 500: The database is locked\. xpk reset/m,
  );
  await xpk('reset');
});

test('if the preparation of a scenario fails and the world cannot be restored, xpk scenario run prints both errors', async () => {
  await changeState('DELETE', '/state/principals/manager');
  const proxy = await openProxy(async () => Response.json({ detail: 'The database is locked.' }, { status: 500 }));
  const { status, stderr } = await run('scenario', 'run', 'connections.update.activates', '--url', proxy.url);
  proxy.close();
  assert.equal(status, 1);
  assert.match(
    stderr,
    /PATCH \/_control\/state\/principals\/manager got 404: .* The world was not restored: DELETE .* got 500: The database is locked\./,
  );
  await xpk('reset');
});

test('a scenario run does not delete the account that another client created with the same alias during the run', async () => {
  const proxy = await openProxy(async () => {
    await changeState('POST', '/reset', { to: 'seed' });
    await changeState('POST', '/state/accounts', { alias: 'scenario', name: 'Of another client' });
    return undefined;
  });
  const { status, stdout } = await run('scenario', 'run', 'connections.update.activates', '--url', proxy.url);
  proxy.close();
  assert.equal((await json('state get accounts scenario')).name, 'Of another client');
  assert.equal(status, 1);
  assert.match(stdout, /^World {4}The world was not restored\. DELETE \S+ got 404: /m);
  // A second run in the same world is refused, and leaves the first run's account alone.
  const second = await runLine('scenario run connections.update.activates');
  assert.equal(second.status, 1);
  assert.match(second.stderr, /POST \/_control\/state\/accounts got 409: .*scenario/);
  assert.equal((await json('state get accounts scenario')).name, 'Of another client');
  await xpk('reset');
});

test('if the response is not as expected, xpk scenario run prints the expected and the actual response, and exits with 1', async () => {
  await xpk('fault add --fault problem --status 404 --operation deleteExperienceConnection');
  const other = await runLine(`scenario run ${NUMBERS_ASSIGNED}`);
  assert.equal(other.status, 1);
  assert.match(
    other.stdout,
    /^Expected 409 connections\.delete\.numbers-assigned, but got 404 http\.injected-fault\. .*xpk reset restores the world\.$/m,
  );
  await xpk('reset');
});

test('xpk scenario run --print prints only the commands, and --operation chooses the operation', async () => {
  const lines = (await xpk('scenario run auth.token.expired --operation createExperienceConnection --print')).split('\n');
  assert.equal(lines.length, 1);
  assert.match(
    lines[0]!,
    /^curl -X POST '.*' -H "authorization: Bearer \$\(xpk token --client acme-web --principal manager --kind expired --url .*-d '\{/,
  );
});

test('if a rule has no scenario of its own, xpk scenario run uses the scenario of a related rule', async () => {
  assert.match(await xpk('scenario run auth.challenge'), /^Rule {5}auth\.challenge /m);
});

test('xpk scenario run prints why a scenario cannot run', async () => {
  for (const [name, why] of [
    ['connections.delete.number-assigned', /There is no scenario .* Did you mean "connections\.delete\.numbers-assigned"/],
    ['oauth.code.short-lived', /has no scenario\. The code must be an hour old/],
    ['users.get.scope --operation getUsers', /users\.get\.scope does not apply to the operation getUsers/],
  ] as const) {
    const { status, stderr } = await runLine(`scenario run ${name}`);
    assert.equal(status, 2, name);
    assert.match(stderr, why);
  }
  assert.match((await runLine('scenario run oauth.pkce.verifier-wrong')).stderr, /Start the kit with: xpk start --login auto/);
});
