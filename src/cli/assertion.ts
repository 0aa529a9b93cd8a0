import { createPrivateKey, type JsonWebKey, type KeyObject, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { SignJWT } from 'jose';
import type { components } from '../contract/generated/control.ts';
import { controlClient } from './control-client.ts';
import { namedByOption, wholeNumber } from './control-options.ts';
import { DEFAULT_URL } from './kit-address.ts';
import { UsageError } from './usage-error.ts';

interface Flags {
  client: string;
  key: string;
  audience?: string;
  authUrl?: string;
  url?: string;
  controlToken?: string;
  expires: number;
}

/** `xpk assertion`: a signed client assertion (RFC 7523), for the parameter client_assertion of a token request. */
export function assertionCommand(): Command {
  return new Command('assertion')
    .description('Prints a client assertion, signed with a private key: for one token request, as it can be used once.')
    .requiredOption('--client <client_id>', 'who signs; with --url also an alias of the world there')
    .requiredOption('--key <file>', 'the private key: a JWK, or PEM')
    .option('--auth-url <url>', 'the authorization server it is for: the audience is its token endpoint')
    .option('--audience <uri>', 'the audience itself, if it is another')
    .option('--url <url>', `a kit that runs, such as ${DEFAULT_URL}: its authorization server, its clients by alias`)
    .addOption(new Option('--control-token <secret>', 'the control token the kit was started with').env('XPK_CONTROL_TOKEN'))
    .addOption(
      new Option(
        '--expires <seconds>',
        'the lifetime, in wall time; by default the service refuses more than 3600 (decision oauth.assertion.lifetime)',
      )
        .default(60)
        .argParser(wholeNumber(1, MOST_SECONDS)),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (flags: Flags) => {
      const audience = audienceOf(flags);
      const key = await readKey(flags.key);
      console.log(await signed(key, await clientId(flags), audience, flags.expires));
    });
}

const EXAMPLES = `
The token request then has client_assertion=<what is printed> and
client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer, and no client_secret.

Examples:
  xpk assertion --url ${DEFAULT_URL} --client acme-signer --key fixtures/keys/acme-signer.private.jwk.json
  xpk assertion --auth-url https://auth.example.com --client 4711 --key private.pem --expires 300`;

function audienceOf({ audience, authUrl, url }: Flags): string {
  if (audience !== undefined && authUrl !== undefined)
    throw new UsageError('Give --audience or --auth-url, not both: each says the audience.');
  if (audience !== undefined) return audience;
  const server = authUrl ?? (url === undefined ? undefined : `${url.replace(/\/$/, '')}/auth`);
  if (server === undefined) throw new UsageError('Say whom it is for: --auth-url, --audience, or --url of a kit that runs.');
  if (!URL.canParse(server)) throw new UsageError(`The authorization server is an address such as ${DEFAULT_URL}/auth, not ${server}.`);
  // Both the issuer and the token endpoint are usual; those who take only one take this.
  return `${server.replace(/\/$/, '')}/oauth/token`;
}

async function clientId({ client, url, controlToken }: Flags): Promise<string> {
  if (url === undefined) return client;
  const path = `/state/clients/${encodeURIComponent(client)}`;
  const { id } = await namedByOption(controlClient(url, controlToken).get<components['schemas']['Client']>(path));
  return id ?? client;
}

/** Ten years, the most that the decision `oauth.assertion.lifetime` can allow. */
const MOST_SECONDS = 315_360_000;

interface Key {
  readonly key: KeyObject;
  readonly alg: string;
  readonly kid: string | undefined;
}

/** What is wrong is said without the text of the file: it is a secret. */
async function readKey(file: string): Promise<Key> {
  const text = await readFile(file, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw new UsageError(`${file} cannot be read (${code}). --key names a file with a private key.`);
  });
  const jwk = text.trimStart().startsWith('{') ? parsed(file, text) : undefined;
  let key: KeyObject;
  try {
    key = createPrivateKey(jwk === undefined ? text : { key: jwk, format: 'jwk' });
  } catch {
    throw new UsageError(
      `${file} holds no private key that can be read: a JWK has the member d, PEM begins with -----BEGIN PRIVATE KEY-----.`,
    );
  }
  const alg = typeof jwk?.alg === 'string' ? jwk.alg : usualAlgorithm(key);
  if (alg === undefined)
    throw new UsageError(`${file} holds a key of a type that signs no assertions (${key.asymmetricKeyType}): use EC, RSA or Ed25519.`);
  return { key, alg, kid: typeof jwk?.kid === 'string' ? jwk.kid : undefined };
}

function parsed(file: string, text: string): JsonWebKey & { kid?: unknown; alg?: unknown } {
  try {
    return JSON.parse(text) as JsonWebKey;
  } catch {
    throw new UsageError(`${file} is not JSON, though it begins like a JWK.`);
  }
}

const CURVES: Readonly<Record<string, string>> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' };

function usualAlgorithm({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | undefined {
  if (asymmetricKeyType === 'rsa') return 'RS256';
  if (asymmetricKeyType === 'ed25519') return 'EdDSA';
  return CURVES[asymmetricKeyDetails?.namedCurve ?? ''];
}

function signed({ key, alg, kid }: Key, client: string, audience: string, expires: number): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({ iss: client, sub: client, aud: audience, jti: randomUUID(), iat: now, exp: now + expires })
    .setProtectedHeader({ alg, ...(kid !== undefined && { kid }), typ: 'JWT' })
    .sign(key);
}
