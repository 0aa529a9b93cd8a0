import type { ConnectedKit } from '../sdk/connect.ts';
import { getTokenDefaults } from '../sdk/tools.ts';
import { UsageError } from './usage-error.ts';

type KitOrWorld = Pick<ConnectedKit, 'url' | 'authUrl' | 'control' | 'state'> & { readonly name?: string };

/**
 * Returns the XPK_ variables for a command that uses the kit or the world: its URLs and credentials.
 * @param redirectUri a redirect URI to register for the client
 */
export async function createVariables(
  { url, authUrl, control, state, name }: KitOrWorld,
  { redirectUri, controlToken }: { readonly redirectUri?: string | undefined; readonly controlToken?: string | undefined } = {},
): Promise<Readonly<Record<string, string>>> {
  const { data: info } = await control.GET('/_control/info');
  const { client: clientId, principal: principalId } = getTokenDefaults(info);
  if (redirectUri !== undefined && clientId === undefined)
    throw new UsageError(
      "--redirect-uri requires a world with a ready-made token, because the redirect URI is registered for that token's client.",
    );
  const client = clientId === undefined ? undefined : await state.get('clients', clientId);
  const principal = principalId === undefined ? undefined : await state.get('principals', principalId);
  const uris = client?.redirectUris ?? [];
  if (redirectUri !== undefined && !uris.includes(redirectUri))
    await state.set('clients', clientId as string, { redirectUris: [...uris, redirectUri] });
  const variables = {
    XPK_URL: url,
    XPK_AUTH_URL: authUrl,
    XPK_WORLD: name,
    XPK_TOKEN: Object.values(info.tokens)[0],
    ...Object.fromEntries(
      Object.entries(info.tokens).map(([token, value]) => [`XPK_TOKEN_${token.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`, value]),
    ),
    XPK_CLIENT_ID: client?.id,
    XPK_CLIENT_SECRET: client?.secret,
    XPK_REDIRECT_URI: redirectUri ?? uris[0],
    XPK_LOGIN_HINT: principal?.telephoneNumber,
    XPK_CONTROL_TOKEN: controlToken,
  };
  return Object.fromEntries(Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Returns the environment for a command that this process starts. */
export async function createEnvironment(...given: Parameters<typeof createVariables>): Promise<NodeJS.ProcessEnv> {
  // Inherited XPK_ variables could point to another kit. npm has not started the command (npm-signals.ts).
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('XPK_') && name !== 'npm_lifecycle_script'),
  );
  return { ...inherited, ...(await createVariables(...given)) };
}

/** Returns commands that set the variables in a POSIX shell. */
export const formatExports = (variables: Readonly<Record<string, string>>): string =>
  Object.entries(variables)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'`)
    .join('\n');
