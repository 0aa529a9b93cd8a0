import { createPrivateKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { getSystemErrorMessage } from 'node:util';
import { Command, Option } from 'commander';
import { type AssertionKey, findDefaultAlgorithm, signAssertion } from '../sdk/assertion.ts';
import { convertNotFound, createClient, createControlTokenOption, createJsonOption, createWholeNumberParser, print } from './command.ts';
import { DEFAULT_URL, getResponseData } from './control-client.ts';
import { UsageError } from './usage-error.ts';

interface Flags {
  readonly client: string;
  readonly key: string;
  readonly audience?: string;
  readonly authUrl?: string;
  readonly url?: string;
  readonly controlToken?: string;
  readonly expires: number;
  readonly json?: boolean;
}

/** The maximum value of the `oauth.assertion.lifetime` decision: ten years. */
const MAX_LIFETIME_SECONDS = 315_360_000;

export function createAssertionCommand(): Command {
  return new Command('assertion')
    .description('Prints a client assertion that is signed with a private key. A client assertion is valid for one token request.')
    .requiredOption('--client <client_id>', 'the client_id of the client that signs; with --url, the alias also works')
    .requiredOption('--key <file>', 'the private key: a JWK, or PEM')
    .option('--auth-url <url>', 'the authorization server; the audience is its token endpoint')
    .option('--audience <uri>', 'the audience, if it is not the token endpoint')
    .option('--url <url>', `a running kit, such as ${DEFAULT_URL}, that has the authorization server and the client aliases`)
    .addOption(createControlTokenOption())
    .addOption(
      new Option(
        '--expires <seconds>',
        'the lifetime in wall time; the service refuses over 3600 seconds, unless the decision oauth.assertion.lifetime is set',
      )
        .default(60)
        .argParser(createWholeNumberParser(1, MAX_LIFETIME_SECONDS)),
    )
    .addOption(createJsonOption())
    .addHelpText('after', EXAMPLES)
    .action(async (flags: Flags) => {
      const audience = resolveAudience(flags);
      const key = await readKey(flags.key);
      const assertion = await signAssertion(key, await resolveClientId(flags), audience, flags.expires);
      print(flags, { assertion }, () => assertion);
    });
}

const EXAMPLES = `
In the token request, omit client_secret, and send client_assertion=<the printed assertion> and
client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer.

Examples:
  xpk assertion --url ${DEFAULT_URL} --client acme-signer --key fixtures/keys/acme-signer.private.jwk.json
  xpk assertion --auth-url https://auth.example.com --client 4711 --key private.pem --expires 300`;

function resolveAudience({ audience, authUrl, url }: Flags): string {
  if (audience !== undefined && authUrl !== undefined) throw new UsageError('Give --audience or --auth-url, not both.');
  if (audience !== undefined) return audience;
  const server = authUrl ?? (url === undefined ? undefined : `${url.replace(/\/$/, '')}/auth`);
  if (server === undefined) throw new UsageError('The audience is missing. Give --auth-url, --audience, or the --url of a running kit.');
  if (!URL.canParse(server)) throw new UsageError(`--auth-url must be a URL such as ${DEFAULT_URL}/auth, not ${server}.`);
  // Some servers refuse their issuer identifier as the audience, but all accept their token endpoint.
  return `${server.replace(/\/$/, '')}/oauth/token`;
}

async function resolveClientId({ client, url, controlToken }: Flags): Promise<string> {
  if (url === undefined) return client;
  const path = { collection: 'clients', id: client } as const;
  const call = createClient({ url, ...(controlToken !== undefined && { controlToken }) }).GET('/_control/state/{collection}/{id}', {
    params: { path },
  });
  const { id } = await convertNotFound(getResponseData(call));
  return id ?? client;
}

/** Error messages must not quote the file, because the key is a secret. */
async function readKey(file: string): Promise<AssertionKey> {
  const text = await readFile(file, 'utf8').catch(({ errno }: NodeJS.ErrnoException) => {
    throw new UsageError(`Cannot read ${file}: ${getSystemErrorMessage(errno!)}. --key must be a file with a private key.`);
  });
  let jwk: (JsonWebKey & { kid?: unknown; alg?: unknown }) | undefined;
  let key: KeyObject;
  try {
    jwk = text.trimStart().startsWith('{') ? (JSON.parse(text) as JsonWebKey) : undefined;
    key = createPrivateKey(jwk === undefined ? text : { key: jwk, format: 'jwk' });
  } catch {
    throw new UsageError(
      `${file} does not contain a valid private key. A private JWK has the member d. A PEM file begins with -----BEGIN PRIVATE KEY-----.`,
    );
  }
  const alg = typeof jwk?.alg === 'string' ? jwk.alg : findDefaultAlgorithm(key);
  if (alg === undefined)
    throw new UsageError(`The key in ${file} has a type that cannot sign assertions (${key.asymmetricKeyType}). Use EC, RSA or Ed25519.`);
  return { key, alg, kid: typeof jwk?.kid === 'string' ? jwk.kid : undefined };
}
