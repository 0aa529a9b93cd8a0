import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import type { ServerResponse } from 'node:http';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { type Receiver, startReceiver } from '../events/testing/receiver.ts';
import { assertionCommand } from './assertion.ts';
import { clockCommand } from './clock.ts';
import { deliveriesCommand } from './deliveries.ts';
import { explainCommand } from './explain.ts';
import { faultCommand } from './fault.ts';
import { inboxCommand } from './inbox.ts';
import { logsCommand } from './logs.ts';
import { modeCommand } from './mode.ts';
import { recoverCommand } from './recover.ts';
import { redeliverCommand } from './redeliver.ts';
import { releaseCommand } from './release.ts';
import { resetCommand } from './reset.ts';
import { snapshotCommand } from './snapshot.ts';
import { stateCommand } from './state.ts';
import { subscribeCommand } from './subscribe.ts';
import { subscriptionsCommand } from './subscriptions.ts';
import { verbsAt } from './testing/printed.ts';
import { tokenCommand } from './token.ts';
import { triggerCommand } from './trigger.ts';
import { unsubscribeCommand } from './unsubscribe.ts';
import { waitCommand } from './wait.ts';

const VERBS = {
  assertion: assertionCommand,
  clock: clockCommand,
  deliveries: deliveriesCommand,
  explain: explainCommand,
  fault: faultCommand,
  inbox: inboxCommand,
  logs: logsCommand,
  mode: modeCommand,
  recover: recoverCommand,
  redeliver: redeliverCommand,
  release: releaseCommand,
  reset: resetCommand,
  snapshot: snapshotCommand,
  state: stateCommand,
  subscribe: subscribeCommand,
  subscriptions: subscriptionsCommand,
  token: tokenCommand,
  trigger: triggerCommand,
  unsubscribe: unsubscribeCommand,
  wait: waitCommand,
};
const LINES: Readonly<Record<keyof typeof VERBS, readonly string[]>> = {
  assertion: ['--client acme-signer --key fixtures/keys/acme-signer.private.jwk.json'],
  clock: ['', 'advance 1h'],
  deliveries: ['', 'some'],
  explain: ['4bf92f3577b34da6a3ce929d0e0e4736'],
  fault: ['list', 'add --fault latency --latency 5', 'clear', 'clear fault-1'],
  inbox: ['', '--clear'],
  logs: ['', '--follow'],
  mode: ['mine', 'mine --hold', 'mine --none'],
  recover: ['mine --since 2026-03-01T09:30:00Z'],
  redeliver: ['some'],
  release: ['mine'],
  reset: ['', 'empty'],
  snapshot: ['save before', 'load before', 'list', 'delete before'],
  state: ['get', 'get users', 'get users ada', 'set users ada firstName=Ada', 'add users account=north'],
  subscribe: ['', '--experience desk', '--provider acme'],
  subscriptions: [''],
  token: ['', '--client acme-web'],
  trigger: ['experience.connection.created', 'raw --subscription mine --body x'],
  unsubscribe: ['mine'],
  wait: ['', '--timeout 0s'],
};
const lines = Object.entries(LINES).flatMap(([verb, all]) => all.map((line) => `${verb} ${line}`.trimEnd()));

let receiver: Receiver;
before(async () => {
  receiver = await startReceiver();
});
after(() => receiver.close());
const { xpk } = verbsAt(() => ({ url: new URL(receiver.url).origin }), VERBS);

const ok =
  (body: string, headers = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(200, headers).end(body);
const unstored = { 'cache-control': 'no-store' };
const ANSWERS: Readonly<Record<string, Parameters<Receiver['answerWith']>[0]>> = {
  'nothing, with 200': 200,
  'nothing, with 204': 204,
  'nothing, with 202': 202,
  'nothing, with 200 and the header of a kit': ok('', unstored),
  text: ok('ok'),
  'a page': ok('<!doctype html>', { ...unstored, 'content-type': 'text/html' }),
  null: ok('null', unstored),
  'an empty object': ok('{}'),
  'an empty list': ok('[]'),
  'a text in JSON': ok('"ok"', unstored),
  'a list of other things': ok('[{"ok":true}, null]', unstored),
  '404 and a page': (response) => void response.writeHead(404).end('<!doctype html>'),
  '500 and null': (response) => void response.writeHead(500).end('null'),
  'a redirect': (response) => void response.writeHead(302, { location: '/' }).end(),
};
for (const [answer, how] of Object.entries(ANSWERS)) {
  test(`what is no kit and answers ${answer} is said to be none by every verb`, async () => {
    receiver.answerWith(how);
    for (const line of lines)
      await assert.rejects(xpk(line), /^Error: What answers at http:\S+ is no kit: [^\n]+\. Give the address .* xpk start$/, line);
  });
}

test('an empty object, with the header of a kit, is taken for nothing but a world without entities', async () => {
  receiver.answerWith(ok('{}', unstored));
  for (const line of lines.filter((text) => !/^(state get users|subscribe|trigger \S+\.)/.test(text)))
    await assert.rejects(xpk(line), /is no kit: /, line);
});

test('the verbs above are all that have an address', async () => {
  const xpkHelp = async (...args: string[]) => (await promisify(execFile)(process.execPath, ['src/cli/main.ts', ...args, '--help'])).stdout;
  const verbs = [...(await xpkHelp()).matchAll(/^ {2}([a-z]+) /gm)].map(([, verb]) => verb as string);
  const others = ['start', 'fixtures', 'conformance', 'help'];
  assert.deepEqual(verbs.filter((verb) => !others.includes(verb)).toSorted(), Object.keys(VERBS));
});
