import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { callControl } from '../../src/control/testing/call.ts';
import { createKit } from '../../src/kit.ts';
import { freePort } from '../../src/store/testing/free-port.ts';

// Make the test fail if the example breaks the client.offline-access.with-scopes rule.
const kit = await createKit({ port: 0, login: 'auto', set: { 'oauth.offline-access-alone': 'refused' } });
after(() => kit.close());

/** Registers a redirect URI on a free port for a client. @returns the redirect URI */
async function registerRedirectUri(client: string): Promise<string> {
  const redirectUri = `http://127.0.0.1:${await freePort()}/callback`;
  const { status } = await callControl(kit.url, 'PATCH', `/state/clients/${client}`, { redirectUris: [redirectUri] });
  assert.equal(status, 200);
  return redirectUri;
}

/**
 * Runs the example and opens the URL that it prints.
 * @param changes changes to the URL's query
 * @returns the example's output
 */
async function run(client: string, args: readonly string[], changes: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, ['examples/authorization-code/flow.mjs', ...args], {
    env: { ...process.env, API_URL: kit.url, REDIRECT_URI: await registerRedirectUri(client) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close') as Promise<[number]>;
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const lines: string[] = [];
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line);
      if (line.startsWith('Open ')) {
        const url = new URL(line.slice('Open '.length));
        for (const [name, value] of Object.entries(changes)) url.searchParams.set(name, value);
        assert.match(await (await fetch(url)).text(), /Done/);
      }
    }
  } finally {
    // End the example if it still waits for the browser. A successful run has already ended.
    if (child.exitCode === null && !child.stdout.readableEnded) child.kill();
  }
  const [code] = await closed;
  return { code, lines, errors };
}

for (const [client, args] of [
  ['acme-web', []],
  ['acme-signer', ['--assertion']],
] as const) {
  test(`the example requests a token and refreshes it, as the client ${client}`, async () => {
    const { code, lines, errors } = await run(client, args);
    assert.equal(code, 0, errors);
    const read = /^GET \/users\/2065550001: 200 \{"id":"[^"]+".*\}$/;
    assert.match(lines[1] ?? '', /^Got an access token for .* users:manage offline_access, valid for 3600 s\.$/);
    assert.match(lines[2] ?? '', read);
    assert.equal(lines[3], 'Refreshed: the refresh token has changed.');
    assert.match(lines[4] ?? '', read);
  });
}

test('the example prints the error if the user denies access', async () => {
  const { code, errors } = await run('acme-web', [], { login_hint: '+12065550159' });
  assert.equal(code, 1);
  assert.match(errors, /access_denied/);
});

test("the example rejects a response whose state differs from the request's state", async () => {
  const { code, errors } = await run('acme-web', [], { state: 'another-state' });
  assert.equal(code, 1);
  assert.match(errors, /is not the state that was sent/);
});
