import { createPublicKey, type JsonWebKey } from 'node:crypto';
import type { EntityCheck, EntityType } from '../entity.ts';
import type { Steps } from '../problem.ts';

export const clients: EntityType<'clients', 'provider'> = {
  references: { provider: 'providers' },
  fixed: ['provider'],
  affectsCallers: true,
  validate({ publicKey, redirectUris = [] }, check) {
    if (publicKey !== undefined) checkKey(publicKey, check);
    for (const [index, uri] of redirectUris.entries()) checkRedirectUri(uri, ['redirectUris', index], check);
  },
  toRow({ entity: { name, secret, publicKey, redirectUris = [], login, accessTokenLifetime, codeLifetime }, ids }) {
    const settings: ClientSettings = { secret, publicKey, redirectUris, login, accessTokenLifetime, codeLifetime };
    return { provider_id: ids.provider, name, settings: JSON.stringify(settings) };
  },
  toMembers({ name, settings }) {
    const { redirectUris, ...rest } = JSON.parse(settings) as ClientSettings;
    return { name, ...rest, ...(redirectUris.length > 0 && { redirectUris }) };
  },
};

interface ClientSettings {
  secret: string | undefined;
  publicKey: Record<string, unknown> | undefined;
  redirectUris: string[];
  login: 'page' | 'auto' | 'deny' | undefined;
  accessTokenLifetime: number | undefined;
  codeLifetime: number | undefined;
}

/** Private members of a JWK (RFC 7518, sections 6.2.2, 6.3.2 and 6.4.1). */
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

function checkKey(key: Record<string, unknown>, check: EntityCheck): void {
  const parts = PRIVATE_MEMBERS.filter((member) => Object.hasOwn(key, member));
  for (const member of parts) {
    check.reportProblem(['publicKey', member], `"${member}" is part of the private key, which stays with the client. Omit it.`, 'key');
  }
  if (!Object.hasOwn(key, 'kty')) {
    check.reportProblem(['publicKey'], 'This is not a JWK: the kty member, which contains the key type (such as EC), is missing.');
  } else if (parts.length === 0 && !isPublicKey(key)) {
    const reason =
      'This JWK is not a valid public key: a member is missing or wrong. An EC key, for example, has kty, crv, x and y (RFC 7518).';
    check.reportProblem(['publicKey'], reason);
  }
}

function isPublicKey(key: Record<string, unknown>): boolean {
  try {
    return createPublicKey({ key: key as JsonWebKey, format: 'jwk' }).type === 'public';
  } catch {
    return false;
  }
}

/** Accepts only http and https, because other schemes belong to programs on the user's machine, not to confidential clients. */
function checkRedirectUri(uri: string, steps: Steps, check: EntityCheck): void {
  const parsed = URL.parse(uri);
  if (parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:') {
    check.reportProblem(steps, `${JSON.stringify(uri)} is not a web server's address: it must begin with https:// or http://.`);
  } else if (uri.includes('#')) {
    check.reportProblem(steps, 'A redirect URI must not have a fragment (RFC 6749, section 3.1.2). Remove the # and everything after it.');
  }
}
