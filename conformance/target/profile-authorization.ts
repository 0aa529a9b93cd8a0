import { askPerson } from './ask-person.ts';
import type { Capabilities } from './capabilities.ts';
import type { ProfileAuthorization } from './profile.ts';
import { followRedirects, type Visit } from './visit.ts';

type Given = { readonly [C in keyof Capabilities & `oauth.${string}`]?: Capabilities[C] | undefined };

/** What a profile gives of an authorization server. @param isWatched whether a person is there to be asked. */
export function profileAuthorization(given: ProfileAuthorization | undefined, isWatched: boolean): Given {
  if (given === undefined) return {};
  const { url, secretClient, keyClient, loginHint, approve } = given;
  const base = url?.replace(/\/+$/, '');
  return {
    'oauth.server': base === undefined ? undefined : () => ({ authorizeUrl: `${base}/authorize`, tokenUrl: `${base}/oauth/token` }),
    'oauth.secret-client': secretClient && {
      clientId: secretClient.id,
      secret: secretClient.secret,
      redirectUri: secretClient.redirectUri,
    },
    'oauth.key-client': keyClient && {
      clientId: keyClient.id,
      privateJwk: keyClient.privateKey,
      audience: keyClient.audience,
      redirectUri: keyClient.redirectUri,
      ...(keyClient.secret !== undefined && { secret: keyClient.secret }),
    },
    'oauth.login-hint': loginHint,
    'oauth.approve': approve === 'automatic' ? automatic : approve === 'interactive' && isWatched ? askPerson('approve') : undefined,
    'oauth.deny': approve === 'interactive' && isWatched ? askPerson('deny') : undefined,
  };
}

const automatic: Visit = (authorizeUrl, get) =>
  followRedirects(authorizeUrl, get, ({ href }) => (/^https?:/.test(href) ? href : undefined));
