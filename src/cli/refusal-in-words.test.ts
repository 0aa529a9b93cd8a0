import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { createKit, type Kit } from '../kit.ts';
import { deliveriesCommand } from './deliveries.ts';
import { explainCommand } from './explain.ts';
import { faultCommand } from './fault.ts';
import { modeCommand } from './mode.ts';
import { redeliverCommand } from './redeliver.ts';
import { refusalInWords } from './refusal-in-words.ts';
import { releaseCommand } from './release.ts';
import { snapshotCommand } from './snapshot.ts';
import { stateCommand } from './state.ts';
import { verbsAt } from './testing/printed.ts';
import { tokenCommand } from './token.ts';
import { triggerCommand } from './trigger.ts';
import { waitCommand } from './wait.ts';

let kit: Kit;
before(async () => {
  kit = await createKit({ port: 0 });
});
after(() => kit.close());
const { xpk } = verbsAt(() => kit, {
  deliveries: deliveriesCommand,
  explain: explainCommand,
  fault: faultCommand,
  mode: modeCommand,
  redeliver: redeliverCommand,
  release: releaseCommand,
  snapshot: snapshotCommand,
  state: stateCommand,
  token: tokenCommand,
  trigger: triggerCommand,
  wait: waitCommand,
});

const RAW = 'trigger raw --subscription acme-everything';
const REFUSED: readonly (readonly [line: string, ...said: string[]])[] = [
  ['deliveries nothing', 'xpk deliveries lists them.'],
  ['deliveries --subscription nothing-like-it', 'xpk subscriptions lists them.'],
  ['redeliver nothing', 'xpk deliveries lists them.'],
  ['wait --timeout 0s --state exhausted', 'xpk deliveries lists all.'],
  ['wait --count 1001', '--count must be at most 1000.'],
  ['explain nothing', 'xpk logs lists the requests.'],
  ['snapshot delete nothing', 'There are: none; xpk snapshot save NAME saves one.'],
  ['token --client nothing', 'xpk state get clients lists them'],
  ['token --client acme-web --principal nothing', 'xpk state get principals lists them'],
  ['token --client acme-web --kind best', '--kind must be one of good, expired,'],
  ['token --client acme-web --scope users:manage users:manage', '--scope must not have the same item twice.'],
  ['fault clear fault-0', 'xpk fault list lists them.'],
  ['fault add --fault problem', 'A fault of the kind problem needs --status.'],
  ['fault add --fault latency', 'A fault of the kind latency needs --latency.'],
  ['fault add --fault latency --latency 5 --status 503', 'A fault of the kind latency cannot have --status.'],
  ['fault add --fault problem --status 503 --latency 5', 'A fault of the kind problem cannot have --latency.'],
  ['fault add --fault problem --status 418', 'To inject it anyway, give --undocumented.'],
  ['fault add --fault problem --status 600', 'It is a whole number from 200 to 599.'],
  ['fault add --fault latency --latency 999999999', '--latency must be at most 600000.'],
  ['mode acme-everything --hold --delay 5s', '--delay has no effect with --hold'],
  ['mode acme-everything --seed 7', '--seed has no effect without --reorder: add it, or leave --seed out.'],
  ['release acme-everything a', 'The command names what', 'xpk deliveries --state held lists what is held.'],
  ['release acme-everything a a', 'The order must be', 'a list of ids of held deliveries, each once.'],
  [`${RAW} --body {"a":1}`, '--body: type is missing, says the contract of events. With --allow-invalid it is sent as it is.'],
  [`${RAW} --body x`, '--body is not JSON', 'With --allow-invalid it is sent as it is.'],
  [`${RAW} --type provisioning.user.created --data {}`, '--data: ', 'With --allow-invalid it is sent as it is.'],
  [`${RAW} --type made.up --data {}`, '--type must be one of experience.connection.created,'],
  [
    `${RAW} --body x --type made.up --data {}`,
    '--body is all that is sent, so --type and --data would do nothing: leave one of the two out.',
  ],
  [`${RAW} --body x --data {}`, '--body is all that is sent, so --data would do nothing: leave one of the two out.'],
  [RAW, 'What is to be sent is missing: give --type and --data, or --body.'],
  [`${RAW} --body x --header a:日`, 'The header a must be the value of a header'],
  [`${RAW} --body x --header ä:b`, 'The name of a header is one of letters, digits and hyphens, such as X-Test.'],
  [
    'state add users firstname=A lastname=B',
    'The member "account" is missing.\n  /firstname: There is no member',
    '\n  /lastname: There is no member',
  ],
];
for (const [line, ...said] of REFUSED) {
  test(`a refusal is told in the words of the command: xpk ${line}`, async () => {
    const { message } = await xpk(line).then(
      () => assert.fail('it should have been refused'),
      (error: Error) => error,
    );
    for (const words of said) assert.ok(message.includes(words), message);
    assert.doesNotMatch(message, /_control|allowInvalid|latencyMs|see errors/);
  });
}

test('a duration that is none is told without the name of a member', () => {
  assert.match(refusalInWords({ detail: 'by must be a duration such as 1h30m.' }), /^The duration must be/);
});

test('each HTTP path that a refusal of the control API names is told as a command', async () => {
  const named = new Set<string>();
  for (const file of globSync('src/control/**/*.ts', { exclude: ['**/*.test.ts'] })) {
    const code = (await readFile(file, 'utf8')).replaceAll(/^\s*(?:\/?\*|\/\/).*$/gm, '');
    for (const [path] of code.matchAll(/(?:GET|PUT|POST|PATCH|DELETE) \/_control\/[\w/?={}-]+/g)) named.add(path);
  }
  assert.ok(named.size > 5);
  for (const path of named) assert.match(refusalInWords({ detail: `${path} lists them.` }), /^xpk [^/]+ lists them\.$/);
});
