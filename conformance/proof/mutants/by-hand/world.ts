import { operations } from '../../../../src/contract/generated/operations.ts';
import { TARGET_TYPES } from '../derived/schema.ts';
import type { Json, Request } from '../exchange.ts';
import type { StartMutant } from '../mutant.ts';

export const PRINCIPAL_CLAIM = 'urn:example:claims:principal_id';
export const SCOPES = [...new Set(Object.values(operations).map(({ scope }) => scope))];

/** Decodes a token's claims without verifying the signature; `{}` if the token is not a JWT. */
export function readClaims(token: string | undefined): Json {
  try {
    return JSON.parse(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString()) as Json;
  } catch {
    return {};
  }
}

export function readToken({ headers }: Request): string | undefined {
  return /^bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1];
}

export function forEachType(description: string, start: (type: string) => StartMutant): Readonly<Record<string, StartMutant>> {
  return Object.fromEntries(TARGET_TYPES.map((type) => [description.replace('TYPE', type), start(type)]));
}
