import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import type { Command } from 'commander';
import { createKit, type Kit } from '../kit.ts';
import { reportFailure } from './failure.ts';
import { createProgram, withSubcommands } from './program.ts';

let kit: Kit;
before(async () => {
  kit = await createKit({ port: 0 });
  process.env.XPK_URL = kit.url;
});
after(() => kit.close());

/** The exit status of `xpk` with these arguments, and what it prints to standard error. */
async function xpk(...args: readonly string[]): Promise<{ status: unknown; stderr: string }> {
  const lines: string[] = [];
  const error = mock.method(console, 'error', (line: string) => lines.push(line));
  const program = createProgram();
  for (const command of withSubcommands(program)) command.configureOutput({ writeOut() {}, writeErr: (text) => lines.push(text) });
  try {
    await program.parseAsync(args, { from: 'user' });
    return { status: 0, stderr: '' };
  } catch (failure) {
    reportFailure(failure);
    return { status: process.exitCode, stderr: lines.join('\n') };
  } finally {
    process.exitCode = undefined;
    error.mock.restore();
  }
}

function pathOf(command: Command): string[] {
  return command.parent === null ? [] : [...pathOf(command.parent), command.name()];
}

const commands = withSubcommands(createProgram());

test('an unknown option exits with 2 in every command', async () => {
  for (const command of commands) {
    const { status, stderr } = await xpk(...pathOf(command), '--no-such-option');
    assert.equal(status, 2, `xpk ${pathOf(command).join(' ')}`);
    assert.match(stderr, /unknown option|required option/);
  }
});

test('a missing argument exits with 2 in every command that needs one, and --help with 0', async () => {
  for (const command of commands) {
    assert.equal((await xpk(...pathOf(command), '--help')).status, 0, `xpk ${pathOf(command).join(' ')} --help`);
    if (!command.registeredArguments.some(({ required }) => required)) continue;
    const { status, stderr } = await xpk(...pathOf(command));
    assert.equal(status, 2, `xpk ${pathOf(command).join(' ')}`);
    assert.match(stderr, /missing required argument|required option/);
  }
});

const KEY = 'fixtures/keys/acme-signer.private.jwk.json';
const INVALID: readonly string[] = [
  'no-such-command',
  'state',
  'start --port abc',
  'start --fixtures nothing.yaml',
  'start --set lists.order=sideways',
  'start --allow-origin http://a.test --no-control',
  'start --allow-origin ',
  'start --database nope',
  'start --database mysql://x',
  'start --data x.db --database postgres://x/y',
  'token no-such',
  'trigger provisioning.user.created --account no-such',
  'trigger provisioning.user.created --experience no-such',
  'trigger provisioning.user.created --subscription no-such',
  'trigger raw --subscription no-such --body x --allow-invalid',
  'wait --subscription no-such',
  'deliveries --subscription no-such',
  'inbox --subscription no-such',
  'subscribe --experience no-such',
  'token --kind expired',
  'assertion --client acme-signer --key nowhere.pem --audience urn:x',
  `assertion --client acme-signer --key ${KEY} --audience urn:x --expires 315360001`,
  'subscribe not-a-url',
  'subscribe',
  'wait --type no.such',
  'wait --timeout 2h',
  'wait --timeout',
  'deliveries some-id --type raw',
  'mode acme-everything --delay -5s',
  'mode acme-everything --seed 1',
  'fault add --fault problem',
  'fault add --fault problem --status 503 --match userId=1 --match userId=2',
  'fault add --fault response --status 200 --header set-cookie:a --header Set-Cookie:b',
  'start --set lists.order=newest-last --set lists.order=newest-first',
  'clock advance soon',
  'state add users firstName',
  'trigger raw --subscription acme-everything --type x --data {',
  'trigger no.such',
  'trigger raw --subscription acme-everything --body @nowhere.json',
  'conformance --rule no.such',
  'conformance --profile nowhere.yaml',
  'conformance diff nowhere.json nowhere.json',
];
for (const line of INVALID) {
  test(`a command line that is not valid exits with 2: xpk ${line}`, async () => {
    const { status, stderr } = await xpk(...line.split(' '));
    assert.equal(status, 2, stderr);
    assert.notEqual(stderr, '');
  });
}

const FAILED: readonly string[] = [
  'wait --timeout 0ms',
  'state get users no-such',
  'snapshot delete no-such',
  'mode no-such',
  'unsubscribe no-such',
  'explain 00000000000000000000000000000001',
  'state add accounts alias=northwind name=Again',
];
for (const line of FAILED) {
  test(`a valid command that fails exits with 1: xpk ${line}`, async () => {
    const { status, stderr } = await xpk(...line.split(' '));
    assert.equal(status, 1, stderr);
  });
}

test('an unknown client of an assertion exits with 2', async () => {
  assert.equal((await xpk('assertion', '--client', 'no-such', '--key', KEY, '--url', kit.url)).status, 2);
});

test('a kit that cannot be reached is exit status 1', async () => {
  assert.equal((await xpk('clock', '--url', 'http://127.0.0.1:1')).status, 1);
});
