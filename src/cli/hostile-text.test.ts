import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { controlOperations } from '../contract/generated/control-operations.ts';
import { schemaReferences } from '../contract/generated/schema-references.ts';
import { schemas } from '../contract/generated/schemas.ts';
import { getValidator } from '../contract/validators.ts';
import { createKit, type Kit } from '../kit.ts';
import { listen } from '../store/testing/listen.ts';
import { assertHarmless, listPropertyNames, makeHostile } from '../testing/hostile-text.ts';
import { XPK_FILE } from '../testing/tested-package.ts';
import { getCommandName } from './config-options.ts';
import { createProgram, listWithSubcommands } from './program.ts';
import { COMMAND_LINES, isLocal } from './testing/command-lines.ts';
import { run } from './testing/run.ts';

const documentedNames = listPropertyNames(schemas);

let kit: Kit;
/** Passes requests on to the kit, and makes its responses hostile. */
const server: Server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = 'GET', url = '' } = request;
  const headers = Object.entries(request.headers).filter(([name]) => /^(content-type|authorization|traceparent)$/.test(name));
  const answer = await fetch(kit.url + url, {
    method,
    headers: Object.fromEntries(headers) as Record<string, string>,
    redirect: 'manual',
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  });
  const text = await answer.text();
  response.writeHead(answer.status, { 'xpk-version': answer.headers.get('xpk-version') ?? '' });
  const isJson = /json/.test(answer.headers.get('content-type') ?? '');
  response.end(isJson ? JSON.stringify(makeHostile(JSON.parse(text), documentedNames, findValidator(method, url, answer.status))) : text);
});
let url = '';
before(async () => {
  kit = await createKit({ port: 0 });
  url = (await listen(server)).url;
  await (await fetch(`${kit.url}/users/nobody`, { headers: { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` } })).text();
});
after(async () => {
  server.close();
  await kit.close();
});

function findValidator(method: string, path: string, status: number) {
  const found = Object.entries(controlOperations).find(
    ([, operation]) =>
      operation.method === method.toLowerCase() &&
      operation.paths.some((template) => new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/?]+')}(\\?|$)`).test(path)),
  );
  const references = schemaReferences.responses[found?.[0] as keyof typeof schemaReferences.responses] as
    | Record<number, string>
    | undefined;
  const reference = references?.[status];
  return reference === undefined ? undefined : getValidator(reference);
}

const remoteLines = [...COMMAND_LINES.filter((line) => !isLocal(line)), 'check client'];

test('every command that reads from a kit is tested with hostile responses', async () => {
  const commands = listWithSubcommands(await createProgram([])).filter(({ options }) => options.some(({ long }) => long === '--url'));
  // `xpk exec` prints nothing of a kit, `xpk assertion` prints only its own signature, `xpk listen` does not end by itself, and `xpk check webhook`
  // is tested with the reports.
  const untested = commands.map(getCommandName).filter((name) => !remoteLines.some((line) => line === name || line.startsWith(`${name} `)));
  assert.deepEqual(untested, ['exec', 'assertion', 'listen', 'check webhook']);
});

const shown = new Set<string>();
for (const line of remoteLines)
  test(`hostile responses cannot control the terminal or the CI runner: xpk ${line}`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'xpk-hostile-'));
    const { data: deliveries } = await kit.control.GET('/_control/deliveries');
    const args = line.replace('$DELIVERY', deliveries[0]?.id ?? 'none').split(' ');
    const report = line.startsWith('check') ? ['--report-dir', folder] : [];
    for (const json of [[], ['--json']]) {
      const { stdout, stderr } = await run(...args, ...json, ...report, '--url', url);
      if (assertHarmless(`${stdout}\n${stderr}`)) shown.add(line);
      if (json.length > 0 && stdout !== '') for (const text of line === 'logs' ? stdout.split('\n') : [stdout]) JSON.parse(text);
    }
    for (const name of readdirSync(folder)) assertHarmless(readFileSync(join(folder, name), 'utf8'));
    rmSync(folder, { recursive: true });
  });

test('a process prints its own colours, but none from hostile responses', async () => {
  await (await fetch(`${kit.url}/users/nobody`)).text();
  const child = spawn(process.execPath, [XPK_FILE, 'logs', '--url', url], { env: { ...process.env, FORCE_COLOR: '1' } });
  const output = await textOf(child.stdout);
  assert.match(output, /\[33m401/);
  const own = [1, 2, 22, 33, 39].map((code) => `\u001b[${code}m`);
  assert.ok(assertHarmless(own.reduce((text, code) => text.replaceAll(code, ''), output)));
});

test('most commands print the hostile text in its escaped form', () => assert.ok(shown.size > 25, [...shown].join('\n')));
