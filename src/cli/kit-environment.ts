import type { Kit } from '../kit.ts';
import { dumpMeta } from '../world/meta.ts';
import { UsageError } from './usage-error.ts';

/**
 * Returns the environment for a command that uses the kit. XPK_ variables contain the kit's URLs and credentials.
 * @param redirectUri a redirect URI to register for the client
 */
export async function createEnvironment(kit: Kit, redirectUri?: string): Promise<NodeJS.ProcessEnv> {
  const tokens = await kit.tokens();
  const [ready] = Object.values((await dumpMeta(kit.store.db)).tokens);
  const alias = ready?.client;
  if (redirectUri !== undefined && alias === undefined)
    throw new UsageError(
      "--redirect-uri requires a world with a ready-made token, because the redirect URI is registered for that token's client.",
    );
  const client = alias === undefined ? undefined : await kit.state.get('clients', alias);
  const principal = ready?.principal === undefined ? undefined : await kit.state.get('principals', ready.principal);
  const uris = client?.redirectUris ?? [];
  if (redirectUri !== undefined && !uris.includes(redirectUri))
    await kit.state.set('clients', alias as string, { redirectUris: [...uris, redirectUri] });
  const variables = {
    XPK_URL: kit.url,
    XPK_AUTH_URL: kit.authUrl,
    XPK_TOKEN: Object.values(tokens)[0],
    ...Object.fromEntries(
      Object.entries(tokens).map(([name, token]) => [`XPK_TOKEN_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`, token]),
    ),
    XPK_CLIENT_ID: client?.id,
    XPK_CLIENT_SECRET: client?.secret,
    XPK_REDIRECT_URI: redirectUri ?? uris[0],
    XPK_LOGIN_HINT: principal?.telephoneNumber,
  };
  // Inherited XPK_ variables could point to another kit. npm has not started the command (npm-signals.ts).
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('XPK_') && name !== 'npm_lifecycle_script'),
  );
  return { ...inherited, ...Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined)) };
}
