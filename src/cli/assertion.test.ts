import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { createKit, type Kit } from '../kit.ts';
import { ASSERTION_TYPE, createFlow, getClientId } from '../testing/oauth-flow.ts';
import { run } from './testing/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'xpk-assertion-'));
const KEY_FILE = 'fixtures/keys/acme-signer.private.jwk.json';
let kit: Kit;
before(async () => {
  kit = await createKit({ port: 0 });
});
after(async () => {
  rmSync(folder, { recursive: true });
  await kit.close();
});

async function runAssertion(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await run('assertion', ...args);
  if (status !== 0) throw new Error(`[${status}] ${stderr}`);
  return stdout;
}

function writeKeyFile(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

test('with --url, xpk assertion accepts a client alias, and the kit exchanges the assertion for a token', async () => {
  const stdout = await runAssertion('--url', kit.url, '--client', 'acme-signer', '--key', KEY_FILE);
  const client = createFlow(kit.authUrl, 'acme-signer');
  const proof = { client_secret: undefined, client_assertion_type: ASSERTION_TYPE, client_assertion: stdout };
  assert.equal((await client.exchange(await client.obtainAuthorizationCode(), proof)).status, 200);
});

test('an assertion has the claims that RFC 7523 requires, and the lifetime from --expires', async () => {
  const stdout = await runAssertion('--auth-url', 'https://auth.example/', '--client', '4711', '--key', KEY_FILE, '--expires', '300');
  const { iss, sub, aud, exp, iat, jti } = decodeJwt(stdout);
  assert.deepEqual([iss, sub, aud, exp! - iat!], ['4711', '4711', 'https://auth.example/oauth/token', 300]);
  assert.match(String(jti), /^[0-9a-f-]{36}$/);
  assert.deepEqual(decodeProtectedHeader(stdout), { alg: 'ES256', kid: 'demo-acme-signer', typ: 'JWT' });
});

test("xpk assertion chooses the algorithm that matches a PEM key's type", async () => {
  for (const [type, options, alg] of [
    ['rsa', { modulusLength: 2048 }, 'RS256'],
    ['ed25519', {}, 'EdDSA'],
    ['ec', { namedCurve: 'P-384' }, 'ES384'],
  ] as const) {
    const { privateKey } = generateKeyPairSync(type as 'rsa', options as { modulusLength: number });
    const file = writeKeyFile(`${type}.pem`, privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
    const stdout = await runAssertion('--audience', 'urn:any', '--client', getClientId('acme-signer'), '--key', file);
    assert.equal(decodeProtectedHeader(stdout).alg, alg);
    assert.equal(decodeJwt(stdout).aud, 'urn:any');
  }
});

const SECRET_PATTERN = 'SECRETSECRETSECRET';
const refusals: readonly [what: string, args: () => string[], message: RegExp][] = [
  ['a missing audience', () => ['--client', 'x', '--key', KEY_FILE], /The audience is missing/],
  ['two audiences', () => ['--client', 'x', '--key', KEY_FILE, '--audience', 'a', '--auth-url', 'https://b.test'], /not both/],
  ['an --auth-url that is not a URL', () => ['--client', 'x', '--key', KEY_FILE, '--auth-url', 'nowhere'], /must be a URL/],
  ['a missing client', () => ['--key', KEY_FILE, '--audience', 'a'], /--client/],
  [
    'a file that does not exist',
    () => ['--client', 'x', '--key', 'nothing.pem', '--audience', 'a'],
    /Cannot read nothing\.pem: no such file or directory/,
  ],
  [
    'a public key',
    () => ['--client', 'x', '--key', writeKeyFile('public.json', `{"kty":"EC","crv":"P-256","x":"${SECRET_PATTERN}"}`), '--audience', 'a'],
    /does not contain a valid private key/,
  ],
  [
    'an incomplete JWK',
    () => ['--client', 'x', '--key', writeKeyFile('half.json', `{"d":"${SECRET_PATTERN}`), '--audience', 'a'],
    /does not contain a valid private key/,
  ],
  [
    'a file without a key',
    () => ['--client', 'x', '--key', writeKeyFile('any.txt', SECRET_PATTERN), '--audience', 'a'],
    /does not contain a valid private key/,
  ],
  [
    'a key that cannot sign',
    () => [
      '--client',
      'x',
      '--key',
      writeKeyFile('x.pem', generateKeyPairSync('x25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()),
      '--audience',
      'a',
    ],
    /cannot sign assertions \(x25519\)/,
  ],
  [
    'a lifetime of zero',
    () => ['--client', 'x', '--key', KEY_FILE, '--audience', 'a', '--expires', '0'],
    /whole number from 1 to 315360000/,
  ],
  ['an unknown alias', () => ['--client', 'acme-singer', '--key', KEY_FILE, '--url', kit.url], /Did you mean "acme-signer"/],
];
for (const [what, args, reason] of refusals) {
  test(`xpk assertion refuses ${what}, with a message that does not contain the key`, async () => {
    await assert.rejects(runAssertion(...args()), ({ message }: Error) => {
      assert.match(message, reason);
      assert.doesNotMatch(message, /SECRET/);
      return true;
    });
  });
}
