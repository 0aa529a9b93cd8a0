import type { IncomingMessage } from 'node:http';
import type { AuthorizationContext } from './context.ts';

/**
 * The issuer, which is what the specification calls {auth_url}. Clients compare it with the address they asked (RFC 8414, section 3.3), so without a
 * public URL it is that of the request: localhost for whoever says localhost. The host guard has let the Host through.
 */
export function issuerOf(req: IncomingMessage, { publicUrl, baseUrl }: Pick<AuthorizationContext, 'publicUrl' | 'baseUrl'>): string {
  const { host } = req.headers;
  return `${publicUrl ?? (host === undefined ? baseUrl() : `http://${host.toLowerCase()}`)}/auth`;
}

/**
 * Whether an `iss` is the address of an authorization server of a kit. Any host and port will do: clients reach one world under several names, at several
 * replicas, and on another port after a restart, and a token has to work until it expires. The signature proves that it belongs to the world.
 */
export const isServerIssuer = (iss: string | undefined): boolean => typeof iss === 'string' && /^https?:\/\/[^\s?#]+\/auth$/.test(iss);

export const tokenEndpoint = (issuer: string): string => `${issuer}/oauth/token`;
