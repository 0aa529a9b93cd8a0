import type { IncomingMessage } from 'node:http';
import type { AuthorizationContext } from './context.ts';

type Addresses = Pick<AuthorizationContext, 'publicUrl' | 'baseUrl'>;

/**
 * The address of the service as the client knows it: the public URL, else the host that the client asked, such as localhost. The host guard has checked
 * the Host.
 */
export function baseUrlOf(req: IncomingMessage, { publicUrl, baseUrl }: Addresses): string {
  const { host } = req.headers;
  return publicUrl ?? (host === undefined ? baseUrl() : `http://${host.toLowerCase()}`);
}

/** The issuer, which the specification calls {auth_url}. Clients compare it with the address they asked (RFC 8414, section 3.3). */
export const issuerOf = (req: IncomingMessage, addresses: Addresses): string => `${baseUrlOf(req, addresses)}/auth`;

/**
 * Whether an `iss` is the address of an authorization server of a kit. Any host and port will do: clients reach one world under several names, at several
 * replicas, and on another port after a restart, and a token has to work until it expires. The signature proves that it belongs to the world.
 */
export const isServerIssuer = (iss: string | undefined): boolean => typeof iss === 'string' && /^https?:\/\/[^\s?#]+\/auth$/.test(iss);

export const tokenEndpoint = (issuer: string): string => `${issuer}/oauth/token`;
