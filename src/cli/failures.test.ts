import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Command } from 'commander';
import { createKit, type Kit } from '../kit.ts';
import { reportFailure } from './failure.ts';
import { createProgram, listWithSubcommands } from './program.ts';
import { run } from './testing/run.ts';

let kit: Kit;
before(async () => {
  kit = await createKit({ port: 0 });
  process.env.XPK_URL = kit.url;
});
after(async () => {
  delete process.env.XPK_URL;
  await kit.close();
});

function getCommandPath(command: Command): string[] {
  return command.parent === null ? [] : [...getCommandPath(command.parent), command.name()];
}

const COMMANDS_WITHOUT_JSON: Readonly<Record<string, string>> = {
  completion: 'prints a shell script',
  exec: 'prints what its command prints',
};

const commands = listWithSubcommands(await createProgram(['--help']));

for (const command of commands) {
  const path = getCommandPath(command);
  test(`the help for xpk ${path.join(' ')} has an example`, async () => {
    const { stdout } = await run(...path, '--help');
    assert.match(stdout, new RegExp(`^Examples?:\\n(  .*\\n)*  (\\w+=\\S+ )?${['xpk', ...path].join(' ')}( |$)`, 'm'));
  });
  if (command.commands.length === 0 && !Object.hasOwn(COMMANDS_WITHOUT_JSON, path.join(' ')))
    test(`xpk ${path.join(' ')} has the option --json`, () => assert.ok(command.options.some(({ long }) => long === '--json')));
  test(`xpk ${path.join(' ')} has help, and exits with 2 for an unknown option or a missing argument`, async () => {
    assert.equal((await run(...path, '--help')).status, 0);
    const unknown = await run(...path, '--no-such-option');
    assert.equal(unknown.status, 2);
    assert.match(unknown.stderr, /^xpk: (unknown option|required option)/);
    const { error } = JSON.parse((await run(...path, '--no-such-option', '--json')).stderr) as { error: object };
    assert.deepEqual(Object.keys(error), ['message', 'exitStatus']);
    if (!command.registeredArguments.some(({ required }) => required)) return;
    const missing = await run(...path);
    assert.equal(missing.status, 2);
    assert.match(missing.stderr, /missing required argument|required option/);
  });
}

const KEY_FILE = 'fixtures/keys/acme-signer.private.jwk.json';
const RAW_COMMAND = 'trigger raw --subscription acme-everything';
type Failure = readonly [line: string, ...messages: (string | RegExp)[]];

const INVALID_COMMAND_LINES: readonly Failure[] = [
  ['no-such-command', "unknown command 'no-such-command'"],
  ['state', 'Usage: xpk state'],
  ['start --port abc', 'whole number from 0 to 65535'],
  ['start --set lists.order', 'form id=value'],
  ['start --set lists.order=sideways', 'one of newest-last, newest-first'],
  ['start --set lists.order=newest-last --set lists.order=newest-first', 'lists.order'],
  ['start --fixtures nothing.yaml', 'nothing.yaml: The file cannot be read: no such file'],
  ['start --fixtures dmo', 'Did you mean'],
  ['start --decisions README.md', /^README\.md:\d+:\d+/],
  ['start --allow-origin http://a.test --no-control', 'control API'],
  ['start --allow-origin ', 'http://localhost:5173'],
  ['start --database nope', 'postgres://user:password@'],
  ['start --data x.db --database postgres://x/y', 'Set only one of them'],
  ['clock --url no-address', '--url must be an http or https URL'],
  ['clock advance soon', 'must be a duration such as 1h30m'],
  ['clock advance 1h --max-wait 5m', 'at most 4m'],
  ['token no-such', 'Its ready-made tokens are: full, reader'],
  ['token --kind expired', 'needs --client'],
  ['token full --client acme-web', 'not both'],
  ['token --client nope', 'There is no client "nope"'],
  ['token --client acme-web --scope users:manage,offline_access', 'Allowed choices are experience-connections:manage'],
  ['assertion --client acme-signer --key nowhere.pem --audience urn:x', 'nowhere.pem'],
  [`assertion --client acme-signer --key ${KEY_FILE} --audience urn:x --expires 315360001`, 'from 1 to 315360000'],
  [`assertion --client no-such --key ${KEY_FILE} --url $URL`, 'There is no client "no-such"'],
  ['state get accounts ', 'Check that all shell variables'],
  ['state get ..', '".." cannot be used as a name'],
  ['state add users firstName', 'form key=value'],
  ['state set users ada lastNam=x', 'lastNam'],
  ['snapshot delete ', 'Check that all shell variables'],
  ['reset no-such', 'There is no snapshot "no-such"'],
  ['snapshot save Upper', 'must be 1 to 63 lower-case letters'],
  ['fault clear ', 'Check that all shell variables'],
  ['fault add --fault problem --status 600', 'whole number from 200 to 599'],
  ['fault add --fault problem --status 418', '418 is not documented'],
  ['fault add --fault problem --status 503 --match userId', 'the form name=value'],
  ['fault add --fault problem --status 503 --match userId=1 --match userId=2', 'userId is given twice', 'a fault for each value'],
  ['fault add --fault latency --latency soon', 'a range such as 200-2000'],
  ['fault add --fault latency --latency 5 --probability 2', 'greater than 0 and at most 1'],
  ['fault add --fault response --status 200 --header nothing', 'a name, a colon and a value'],
  ['fault add --fault response --status 200 --header set-cookie:a --header Set-Cookie:b', 'Set-Cookie is given twice'],
  ['subscribe not-a-url', 'must be an http or https URL'],
  ['subscribe --provider acm', 'Did you mean "acme"'],
  ['subscribe --experience no-such', 'no experience'],
  ['subscribe --types experience.connection.create', 'Did you mean "experience.connection.created"'],
  ['subscribe --types provisioning.user.created,nothing', 'There is no "nothing". There are: experience.connection.created, '],
  ['mode acme-everything --none --hold', 'not both'],
  ['mode acme-everything --duplicate -1', 'whole number from 1 to 10'],
  ['mode acme-everything --delay 5000', 'such as 1h30m, not 5000'],
  ['mode acme-everything --delay 0s', 'at least 1ms'],
  ['mode acme-everything --reorder 366d', 'at most 365d'],
  ['release acme-everything --order sideways', 'Allowed choices are oldest-first, newest-first'],
  ['release acme-everything --max-wait 2m', 'at most 1m'],
  ['release acme-everything some --order newest-first', 'or --order, not both'],
  ['release acme-everything some', 'does not hold these deliveries: some.', 'xpk deliveries --state held'],
  ['trigger experience.connection.create', 'Did you mean "experience.connection.created"'],
  ['trigger provisioning.user.created --account nortwind', 'Did you mean "northwind"'],
  ['trigger provisioning.user.created --experience no-such', 'There is no experience'],
  ['trigger provisioning.user.created --subscription acme-everythin', 'Did you mean "acme-everything"'],
  ['trigger provisioning.user.created --as provider', 'Allowed choices are portal, platform'],
  ['trigger raw --body x', "required option '--subscription"],
  ['trigger raw --subscription no-such --body x --allow-invalid', 'There is no subscription "no-such"'],
  [`${RAW_COMMAND} --type x --data {`, '--data is not valid JSON'],
  [`${RAW_COMMAND} --type provisioning.user.created --data {}`, 'data/', 'Set allowInvalid (--allow-invalid)'],
  [`${RAW_COMMAND} --body @nowhere.json`, 'Cannot read the file nowhere.json: no such file or directory.'],
  ['wait --type no.such', /There are: .*provisioning\.user\.deleted, raw\./],
  ['wait --timeout', 'argument missing'],
  ['wait --since now', 'since must be', 'xpk clock --json', 'the id of a delivery'],
  ['deliveries some-id --type raw', 'not both'],
  ['deliveries --limit 1001', 'from 1 to 1000'],
  ['deliveries --state lost', 'Allowed choices are pending, acknowledged'],
  ['recover acme-everything', "required option '--since"],
  ['recover acme-everything --since yesterday', 'since must be an instant such as 2026-03-01T09:00:00Z'],
  ['inbox --clear --subscription acme-everything', 'Give --clear or --subscription, not both'],
  ['logs --status good', 'a status such as 404, or a class'],
  ['logs --limit 1001', 'from 1 to 1000'],
  ['explain ', 'trace'],
  ['start --allow-host http://a.test --port 0', 'without a port'],
  ['conformance --fail-on users.gett.*', '--fail-on users.gett.*: There is no such rule.'],
  ['conformance --rule users.get.shap', 'There is no such rule. Did you mean "users.get.shape"?'],
  ['conformance --rule client.cursor-opaque', 'does not test this rule'],
  ['conformance --form round', 'Allowed choices are prefixed, flat'],
  ['conformance --explore 5000', 'such as 1h30m, not 5000'],
  ['conformance --explore 2d', 'at most 1d'],
  ['conformance --path x', 'must be numbers separated by colons'],
  ['conformance --path 0:1', '--path needs --seed'],
  ['conformance --base-url example', 'must be an http or https URL'],
  ['conformance --base-url http://127.0.0.1:1', 'There is no answer from http://127.0.0.1:1'],
  ['conformance --profile nowhere.yaml', 'nowhere.yaml', 'no such file or directory'],
  ['conformance --baseline nowhere.yaml', 'nowhere.yaml', 'no such file or directory'],
  ['conformance diff nowhere.json nowhere.json', 'nowhere.json'],
  ['conformance diff package.json package.json', "not a conformance run's results.json"],
  ['check webhook', 'Give the URL of your endpoint'],
  [
    'check webhook http://127.0.0.1:1 --state-url http://127.0.0.1:1 --state-command true',
    'Give only one of --state-url and --state-command',
  ],
  ['check webhook http://127.0.0.1:1 --state-url state.json', '--state-url must be an http or https URL'],
  [
    'check webhook http://127.0.0.1:1 --kit-port 0 --url http://127.0.0.1:1',
    '--kit-port and --set configure the kit that the check starts',
  ],
  ['check webhook http://127.0.0.1:1 --path 0:1', '--path needs --seed'],
  ['check webhook http://127.0.0.1:1 --seed 1 --path x', 'must be numbers separated by colons'],
  ['check webhook http://127.0.0.1:1 --rule events.consumer.nothing', 'There is no such rule'],
  ['check client', 'Give the command that runs the tests, as in: xpk check client -- npm test'],
  ['check client --since 1 -- true', '--since selects calls to a running kit'],
  ['check client --since yesterday --url http://127.0.0.1:1', 'must be the number of a journal entry, such as 120, or a time'],
  ['check client --url http://127.0.0.1:1 -- true', 'Omit --url to run a command'],
  ['check client --url http://127.0.0.1:1 --provoke', '--provoke requires a command'],
  ['check client --har package.json', 'package.json is not a HAR file: it has no member log.entries.'],
  ['check client --har no-such.har', 'no-such.har cannot be read: no such file or directory.'],
  ['check client --har package.json -- true', 'Omit the command, --url, --since and --provoke.'],
  ['check client --base-url http://127.0.0.1:1 -- true', '--base-url selects the service in a HAR file'],
  ['conformance --har package.json --explore 1s', '--har sends no requests, so omit --explore.'],
  ['conformance --har package.json --journal http://127.0.0.1:1', 'Give either --har or --journal.'],
  ['conformance --har package.json --base-url ftp://x', '--base-url must be an http or https URL'],
  ['check client --provoke chaos -- true', 'Allowed choices are expiry, state, rate, cursor'],
];

const FAILING_COMMAND_LINES: readonly Failure[] = [
  ['clock --url http://127.0.0.1:1', 'No response from http://127.0.0.1:1'],
  ['fixtures validate package.json', /^package\.json:\d+:\d+: /],
  ['start --port $PORT', 'Another program is already listening there'],
  ['check webhook http://127.0.0.1:1 --kit-port $PORT', 'Another program is already listening there'],
  ['conformance --report-dir /dev/null/x', 'Cannot access /dev/null/x: not a directory. A part of the path is a file.'],
  ['check client --report-dir package.json/x --url $URL', 'Cannot access package.json/x: not a directory.'],
  ['start --host 192.0.2.1 --no-control --port 0', '192.0.2.1', 'Choose another address'],
  ['start --data /proc/nowhere/x.db --port 0', '/proc/nowhere'],
  ['start --database postgres://nobody:canary-word@127.0.0.1:1/none --port 0', '127.0.0.1:1'],
  ['wait --timeout 0s --state exhausted', 'Waited 0 ms: 0 of 1 deliveries are exhausted.', 'xpk trigger'],
  ['state get users no-such', 'There is no user "no-such"'],
  ['state get acounts', 'Did you mean "accounts"'],
  ['mode acme-everythin --hold', 'Did you mean "acme-everything"'],
  ['unsubscribe no-such', 'There is no subscription "no-such"'],
  ['fault clear fault-0', 'There is no fault "fault-0"', 'xpk fault list'],
  ['deliveries nothing', 'There is no delivery "nothing"', 'xpk deliveries'],
  ['explain 00000000000000000000000000000001', 'trace'],
];

for (const [failures, status] of [
  [INVALID_COMMAND_LINES, 2],
  [FAILING_COMMAND_LINES, 1],
] as const)
  for (const [line, ...messages] of failures)
    test(`xpk ${line} exits with ${status} and prints the reason`, async () => {
      const args = parseLine(line);
      const result = await run(...args);
      assert.equal(result.status, status, result.stderr);
      assert.equal(result.stdout, '');
      for (const message of messages)
        assert.ok(typeof message === 'string' ? result.stderr.includes(message) : message.test(result.stderr), result.stderr);
      assert.doesNotMatch(result.stderr, /\n {4}at |canary-word/);
    });

function parseLine(line: string): string[] {
  return line.replace('$URL', kit.url).replace('$PORT', String(kit.port)).split(' ');
}

const getName = (command: Command): string => getCommandPath(command).join(' ');

function findCommand(line: string): Command {
  return commands.findLast((command) => `${line} `.startsWith(`${getName(command)} `)) ?? (commands[0] as Command);
}

const FAILING_LINES = [...INVALID_COMMAND_LINES, ...FAILING_COMMAND_LINES].map(([line]) => line);

test('an error message names only options of its command, and of the commands that it mentions', async () => {
  const mistakes: string[] = [];
  for (const line of FAILING_LINES) {
    const { stderr } = await run(...parseLine(line));
    const command = findCommand(line);
    const mentioned = commands.filter((each) => stderr.includes(`xpk ${getName(each)}`));
    const known = [command, ...command.commands, ...mentioned].flatMap(({ options }) => options.map(({ long }) => long));
    const unknown = (stderr.match(/(?<![\w-])--[a-z][a-z-]*/g) ?? []).filter((option) => ![...known, '--help'].includes(option));
    mistakes.push(...unknown.map((option) => `${line}: ${option}`));
    // If a message recommends a member of a request, it also names the option.
    for (const option of command.options)
      if (new RegExp(`\\bset ${option.attributeName()}\\b`, 'i').test(stderr) && !stderr.includes(option.long as string))
        mistakes.push(`${line}: no ${option.long}`);
  }
  assert.deepEqual(mistakes, []);
});

test('with --json, every error is JSON on standard error', async () => {
  for (const line of FAILING_LINES.filter((each) => findCommand(each).options.some(({ long }) => long === '--json'))) {
    const args = parseLine(line);
    const end = args.indexOf('--');
    const { status, stdout, stderr } = await run(...args.toSpliced(end === -1 ? args.length : end, 0, '--json'));
    // For `xpk fixtures validate`, mistakes in the files are the result.
    if (line.startsWith('fixtures validate')) continue;
    const { error } = JSON.parse(stderr.split('\n').at(-1) as string) as { error: { message: string; exitStatus: number } };
    assert.deepEqual([error.exitStatus, stdout], [status, ''], line);
    assert.match(error.message, /^(?!error: |xpk: )./);
  }
});

test('an error message contains the path that cannot be used, and no port', (t) => {
  const print = t.mock.method(console, 'error', () => {});
  for (const [code, errno, syscall, message] of [
    ['EACCES', -13, 'mkdir', 'Cannot access /x: permission denied. Choose another path, or change the permissions.'],
    ['EROFS', -30, 'open', 'Cannot access /x: read-only file system. Choose a path on another file system.'],
    ['ENOSPC', -28, 'write', 'Cannot write to /x: no space left on device. Free some space, or choose another path.'],
    ['EMFILE', -24, 'open', 'Cannot access /x: too many open files.'],
  ] as const) {
    reportFailure(Object.assign(new Error(`${code}: ${syscall}`), { code, errno, syscall, path: '/x' }), []);
    assert.deepEqual([print.mock.calls.at(-1)?.arguments, process.exitCode], [[`xpk: ${message}`], 1]);
  }
  process.exitCode = undefined;
});
