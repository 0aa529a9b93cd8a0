import type { Capability } from '../target/capabilities.ts';
import type { Need } from '../target/need.ts';
import { freeTarget } from './assignments.ts';
import { type Check, markUsed } from './load.ts';

let freeNumber: string | undefined;

/** Returns an assignability check to send with the credential that reaches its limit, and the same check with a second credential. */
export async function limitSamples(need: Need, has: (capability: Capability) => boolean): Promise<readonly [Check, Check | undefined]> {
  await need('token', 'rate', 'experience', 'numbers');
  freeNumber ??= await freeTarget(need, 'PHONE_NUMBER');
  const query = { targetType: 'PHONE_NUMBER', targetValue: freeNumber };
  const call = { path: { experienceId: await need('experience') }, query };
  const [token, otherToken] = await credentials(need, has);
  return [{ ...call, token }, otherToken === undefined ? undefined : { ...call, token: otherToken }];
}

/**
 * Returns a token whose limit the load exceeds, and a second token that must not be affected. No pause is needed before the load if both
 * tokens are unused.
 */
async function credentials(need: Need, has: (capability: Capability) => boolean): Promise<readonly [string, string?]> {
  const token = await need('token');
  if (has('token.unused-credential')) {
    const newToken = await need('token.unused-credential');
    return [await newToken(), await newToken()];
  }
  if (has('token.second-credential')) return [await need('token.second-credential'), token];
  // Other checks also use this token. The load must wait until the token has been idle.
  markUsed({ token });
  return [token];
}
