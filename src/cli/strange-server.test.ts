import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Command } from 'commander';
import { type Receiver, startReceiver } from '../events/testing/receiver.ts';
import { getCommandName } from './config-options.ts';
import { createProgram, listWithSubcommands } from './program.ts';
import { run } from './testing/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'xpk-strange-'));
let server: Receiver;
let endpoint: Receiver;
before(async () => {
  [server, endpoint] = await Promise.all([startReceiver(), startReceiver()]);
});
after(async () => {
  await Promise.all([server.close(), endpoint.close()]);
  rmSync(folder, { recursive: true, force: true });
});

const SAMPLES: Readonly<Record<string, string>> = {
  '--key': 'fixtures/keys/acme-signer.private.jwk.json',
  '--since': '2026-03-01T09:30:00Z',
  'check webhook url': '$ENDPOINT',
  collection: 'users',
  destination: 'http://127.0.0.1:3000/webhook',
  duration: '1h',
  members: 'firstName=Ada',
  scenario: 'users.get.scope',
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  type: 'experience.connection.created',
};

/** Returns command lines with and without optional arguments, and with each option that has no value. */
function createCommandLines(command: Command): string[] {
  const name = getCommandName(command);
  const getSample = (argument: string) => SAMPLES[`${name} ${argument}`] ?? SAMPLES[argument] ?? 'some';
  const mandatory = command.options
    .filter((option) => option.mandatory)
    .flatMap(({ long, argChoices: [choice] = [] }) => [long as string, choice ?? getSample(long as string)]);
  const optional = command.registeredArguments.filter(({ required }) => !required);
  const required = command.registeredArguments.filter((argument) => argument.required);
  const [base, whole] = [required, [...required, ...optional]].map((values) =>
    [name, ...values.map((argument) => getSample(argument.name())), ...mandatory].join(' '),
  ) as [string, string];
  // `--list` sends no request, and `--follow` does not end if the responses are valid.
  const switches = command.options.filter(
    (option) => option.isBoolean() && !['--json', '--list', '--follow'].includes(option.long as string),
  );
  return [...new Set([base, whole, ...switches.map(({ long }) => `${base} ${long}`)])];
}

const respondWith =
  (status: number, body = '', headers: OutgoingHttpHeaders = {}, reason = '') =>
  (response: ServerResponse, version: OutgoingHttpHeaders) =>
    void response.writeHead(status, reason, { ...version, ...headers }).end(body);

/** `isValid`: whether some operations document this response. `isCutOff`: whether the response has no end. */
const RESPONSES: Readonly<Record<string, { respond: ReturnType<typeof respondWith>; isValid?: boolean; isCutOff?: boolean }>> = {
  'an empty 200': { respond: respondWith(200) },
  'an empty 204': { respond: respondWith(204), isValid: true },
  'an HTML page': { respond: respondWith(200, '<!doctype html>', { 'content-type': 'text/html' }) },
  null: { respond: respondWith(200, 'null') },
  'an empty object': { respond: respondWith(200, '{}'), isValid: true },
  'an object with a wrong member': { respond: respondWith(200, '{"ok":null}') },
  'an empty list': { respond: respondWith(200, '[]'), isValid: true },
  'a list of other items': { respond: respondWith(201, '[{"ok":true},null]') },
  'a redirect': { respond: respondWith(302, '', { location: '/' }) },
  'a 404 with an HTML page': { respond: respondWith(404, '<!doctype html>') },
  'a 422 with a strange list of errors': { respond: respondWith(422, '{"title":"No","status":422,"traceId":"1","errors":{}}') },
  'a 503 with strange parts': { respond: respondWith(503, '{"parts":{"database":null}}') },
  'a reason phrase in another language': { respond: respondWith(404, '', {}, 'N\u00e3o encontrado') },
  'a status above 599': { respond: respondWith(999) },
  'a response that ends early': {
    isCutOff: true,
    respond: (response, version) =>
      void response.writeHead(200, { ...version, 'content-length': 100 }).write('{"now":', () => response.destroy()),
  },
};

// `xpk exec` passes the options at the end of the line on to its command. `xpk listen` connects again, and has its own tests.
const commands = listWithSubcommands(await createProgram([])).filter(
  (command) => command.options.some(({ long }) => long === '--url') && !['exec', 'listen'].includes(getCommandName(command)),
);

for (const command of commands) {
  const name = getCommandName(command);
  const lines = createCommandLines(command);
  const reportFlags = command.options.some(({ long }) => long === '--report-dir') ? ['--report-dir', folder] : [];
  test(`xpk ${name} fails with one sentence if the server at --url responds strangely`, async () => {
    for (const [kind, { respond, isValid = false, isCutOff = false }] of Object.entries(RESPONSES))
      for (const version of [{}, { 'xpk-version': '0.0.0' }]) {
        server.answerWith((response) => respond(response, version));
        for (const line of lines) {
          const requests = server.received.length;
          const args = [...line.replace('$ENDPOINT', endpoint.url).split(' '), '--url', new URL(server.url).origin];
          const { status, stdout, stderr } = await run(...args, ...reportFlags);
          const context = `${line}, ${kind}: ${stdout}${stderr}`;
          // The command line itself is not valid.
          if (server.received.length === requests) {
            assert.equal(status, 2, context);
            continue;
          }
          assert.doesNotMatch(stdout + stderr, /\bundefined\b|Cannot |not a function|not iterable/, context);
          if (stderr === '' && isValid && Object.keys(version).length > 0) continue;
          assert.equal(status, 1, context);
          assert.match(stderr.trim(), /^xpk: [^\n]+$/, context);
          if (!isCutOff) assert.doesNotMatch(stderr, /No response/, context);
          const json = await run(...args, ...reportFlags, '--json');
          assert.deepEqual([json.status, json.stdout], [1, ''], context);
          assert.equal(`xpk: ${(JSON.parse(json.stderr) as { error: { message: string } }).error.message}`, stderr.trim());
        }
      }
  });
}

test('a command line of every command sends a request', async () => {
  server.answerWith(404);
  for (const command of commands) {
    const before = server.received.length;
    for (const line of createCommandLines(command))
      await run(...line.replace('$ENDPOINT', endpoint.url).split(' '), '--url', new URL(server.url).origin);
    assert.ok(server.received.length > before, getCommandName(command));
  }
});
