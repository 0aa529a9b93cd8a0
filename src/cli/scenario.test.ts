import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createKit, type Kit } from '../kit.ts';
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
