import { createIds, type Ids } from '../clock/ids.ts';
import { type SigningKey, worldSigningKey } from './keys.ts';

/** Who issues the access tokens of a world, and for whom. */
export interface Authority {
  readonly world: string;
  /** The `iss` of its tokens, except those of the authorization server. */
  readonly issuer: string;
  /** The `aud` of its tokens: the API. */
  readonly audience: string;
  /** The claim that says who authorized a token (Authentication: `urn:<vendor>:claims:principal_id`). */
  readonly principalClaim: string;
  readonly key: SigningKey;
  readonly ids: Ids;
}

export interface AuthoritySettings {
  readonly world: string;
  readonly issuer: string;
  readonly audience: string;
  readonly principalClaim?: string;
  /** Where the `jti` of a token comes from that is not given one. */
  readonly ids?: Ids;
}

export const DEFAULT_PRINCIPAL_CLAIM = 'urn:example:claims:principal_id';

/** @throws RangeError when the principal claim has not the documented form, lest it displace a claim such as `exp`. */
export function createAuthority(settings: AuthoritySettings): Authority {
  const { world, issuer, audience, principalClaim = DEFAULT_PRINCIPAL_CLAIM, ids = createIds() } = settings;
  if (!/^urn:\S+:claims:principal_id$/.test(principalClaim)) {
    throw new RangeError(`the principal claim has the form urn:<vendor>:claims:principal_id, unlike ${principalClaim}`);
  }
  return { world, issuer, audience, principalClaim, key: worldSigningKey(world), ids };
}
