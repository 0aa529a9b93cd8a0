import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, mock, test } from 'node:test';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { createKit, type Kit } from '../kit.ts';
import { ASSERTION_TYPE, clientId, flow } from '../oauth/server/testing/flow.ts';
import { assertionCommand } from './assertion.ts';

const folder = mkdtempSync(join(tmpdir(), 'xpk-assertion-'));
const KEY = 'fixtures/keys/acme-signer.private.jwk.json';
let kit: Kit;
before(async () => {
  kit = await createKit({ port: 0 });
});
after(async () => {
  rmSync(folder, { recursive: true });
  await kit.close();
});

/** What the command prints, in this process. @throws what it refuses with. */
async function xpk(...args: string[]): Promise<string> {
  const printed = mock.method(console, 'log', () => {});
  try {
    await assertionCommand()
      .exitOverride()
      .configureOutput({ writeErr: () => {} })
      .parseAsync(args, { from: 'user' });
    return String(printed.mock.calls[0]?.arguments[0]);
  } finally {
    printed.mock.restore();
  }
}

function written(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

test('an assertion for a kit, whose client has an alias, is good for a token', async () => {
  const stdout = await xpk('--url', kit.url, '--client', 'acme-signer', '--key', KEY);
  const client = flow(kit.authUrl, 'acme-signer');
  const proof = { client_secret: undefined, client_assertion_type: ASSERTION_TYPE, client_assertion: stdout };
  assert.equal((await client.exchange(await client.code(), proof)).status, 200);
});

test('its claims are those of RFC 7523, for as long as was asked', async () => {
  const stdout = await xpk('--auth-url', 'https://auth.example/', '--client', '4711', '--key', KEY, '--expires', '300');
  const { iss, sub, aud, exp, iat, jti } = decodeJwt(stdout);
  assert.deepEqual([iss, sub, aud, exp! - iat!], ['4711', '4711', 'https://auth.example/oauth/token', 300]);
  assert.match(String(jti), /^[0-9a-f-]{36}$/);
  assert.deepEqual(decodeProtectedHeader(stdout), { alg: 'ES256', kid: 'demo-acme-signer', typ: 'JWT' });
});

test('a key in PEM is signed with as is usual for its type', async () => {
  for (const [type, options, alg] of [
    ['rsa', { modulusLength: 2048 }, 'RS256'],
    ['ed25519', {}, 'EdDSA'],
    ['ec', { namedCurve: 'P-384' }, 'ES384'],
  ] as const) {
    const { privateKey } = generateKeyPairSync(type as 'rsa', options as { modulusLength: number });
    const file = written(`${type}.pem`, privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
    const stdout = await xpk('--audience', 'urn:any', '--client', clientId('acme-signer'), '--key', file);
    assert.equal(decodeProtectedHeader(stdout).alg, alg);
    assert.equal(decodeJwt(stdout).aud, 'urn:any');
  }
});

const SECRET = 'SECRETSECRETSECRET';
const refusals: readonly [what: string, args: () => string[], why: RegExp][] = [
  ['nobody to be for', () => ['--client', 'x', '--key', KEY], /Say whom it is for/],
  ['two audiences', () => ['--client', 'x', '--key', KEY, '--audience', 'a', '--auth-url', 'https://b.test'], /not both/],
  ['no address', () => ['--client', 'x', '--key', KEY, '--auth-url', 'nowhere'], /is an address/],
  ['no client', () => ['--key', KEY, '--audience', 'a'], /--client/],
  ['no such file', () => ['--client', 'x', '--key', 'nothing.pem', '--audience', 'a'], /nothing\.pem cannot be read \(ENOENT\)/],
  [
    'a public key',
    () => ['--client', 'x', '--key', written('public.json', `{"kty":"EC","crv":"P-256","x":"${SECRET}"}`), '--audience', 'a'],
    /no private key/,
  ],
  ['half a JWK', () => ['--client', 'x', '--key', written('half.json', `{"d":"${SECRET}`), '--audience', 'a'], /is not JSON/],
  ['any other file', () => ['--client', 'x', '--key', written('any.txt', SECRET), '--audience', 'a'], /no private key/],
  [
    'a key for something else',
    () => [
      '--client',
      'x',
      '--key',
      written('x.pem', generateKeyPairSync('x25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()),
      '--audience',
      'a',
    ],
    /signs no assertions \(x25519\)/,
  ],
  ['no time at all', () => ['--client', 'x', '--key', KEY, '--audience', 'a', '--expires', '0'], /whole number from 1 to 315360000/],
  ['an alias that is none', () => ['--client', 'acme-singer', '--key', KEY, '--url', kit.url], /Did you mean "acme-signer"/],
];
for (const [what, args, why] of refusals) {
  test(`refused with a reason, and nothing of the key: ${what}`, async () => {
    await assert.rejects(xpk(...args()), ({ message }: Error) => {
      assert.match(message, why);
      assert.doesNotMatch(message, /SECRET/);
      return true;
    });
  });
}

test('xpk knows the command, and exits with 2 and without a stack for a key file that cannot be read', () => {
  const command = ['src/cli/main.ts', 'assertion', '--client', 'x', '--key', 'nothing.pem', '--audience', 'a'];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
  assert.deepEqual([status, stdout], [2, '']);
  assert.match(stderr, /^xpk: nothing\.pem cannot be read/);
  assert.doesNotMatch(stderr, /\n {4}at /);
});
