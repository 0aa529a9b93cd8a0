import { TARGET_TYPES } from '../derived/schema.ts';
import { type Json, parseBody, type Request } from '../exchange.ts';
import type { Kit, StartMutant } from '../mutant.ts';

export const PRINCIPAL_CLAIM = 'urn:example:claims:principal_id';

/** Decodes the claims of a request's token without verifying the signature; `{}` if the token is not a JWT. */
export function readClaims({ headers }: Request): Json {
  const [, payload = ''] = /^bearer +[^.]*\.([^.]*)/i.exec(headers.authorization ?? '') ?? [];
  return parseBody({ text: Buffer.from(payload, 'base64url').toString() });
}

/** Returns what the request's principal may do, by the account's alias. */
export async function findGrants(request: Request, { control }: Kit): Promise<object> {
  const principal = await control.find('principals', String(readClaims(request)[PRINCIPAL_CLAIM]));
  return (principal?.accounts ?? {}) as object;
}

export function forEachType(description: string, start: (type: string) => StartMutant): Readonly<Record<string, StartMutant>> {
  return Object.fromEntries(TARGET_TYPES.map((type) => [description.replace('TYPE', type), start(type)]));
}
