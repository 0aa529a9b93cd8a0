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

export const tokenEndpoint = (issuer: string): string => `${issuer}/oauth/token`;
