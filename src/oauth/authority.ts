import { createIds, type Ids } from '../clock/ids.ts';
import { type SigningKey, worldSigningKey } from './keys.ts';

/** The issuer of a world's access tokens. */
export interface Authority {
  readonly world: string;
  /** The `iss` of minted and ready-made tokens. The authorization server puts its own address there instead. */
  readonly issuer: string;
  /** The `aud` of every token: the API. */
  readonly audience: string;
  /** The name of the claim with the principal's id (Authentication: `urn:<vendor>:claims:principal_id`). */
  readonly principalClaim: string;
  readonly key: SigningKey;
  /** Generates the `jti` of tokens that are minted without an id. */
  readonly ids: Ids;
}

interface AuthoritySettings {
  readonly world: string;
  readonly issuer: string;
  readonly audience: string;
  /** `urn:example:claims:principal_id` by default. */
  readonly principalClaim?: string;
  readonly ids?: Ids;
}

/** @throws RangeError if the principal claim does not have the documented form: it could replace a claim such as `exp`. */
export function createAuthority(settings: AuthoritySettings): Authority {
  const { world, issuer, audience, principalClaim = 'urn:example:claims:principal_id', ids = createIds() } = settings;
  if (!/^urn:\S+:claims:principal_id$/.test(principalClaim)) {
    throw new RangeError(`The principal claim must have the form urn:<vendor>:claims:principal_id, unlike ${principalClaim}.`);
  }
  return { world, issuer, audience, principalClaim, key: worldSigningKey(world), ids };
}
