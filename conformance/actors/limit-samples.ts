import type { Capability } from '../target/capabilities.ts';
import type { Need } from '../target/need.ts';
import { getUnassignedTarget } from './assignments.ts';
import { type AssignabilityCheck, markUsed } from './load.ts';

let unassignedNumber: string | undefined;

/** Returns the same assignability check with two credentials, of which only the first will reach the limit. */
export async function createLimitSamples(
  need: Need,
  has: (capability: Capability) => boolean,
): Promise<readonly [AssignabilityCheck, AssignabilityCheck | undefined]> {
  await need('token', 'rate', 'experience', 'numbers');
  unassignedNumber ??= await getUnassignedTarget(need, 'PHONE_NUMBER');
  const query = { targetType: 'PHONE_NUMBER', targetValue: unassignedNumber };
  const call = { path: { experienceId: await need('experience') }, query };
  const [token, otherToken] = await pickTokens(need, has);
  return [{ ...call, token }, otherToken === undefined ? undefined : { ...call, token: otherToken }];
}

/** Returns a token for a load above the limit, and a second token, which the load must not affect. */
async function pickTokens(need: Need, has: (capability: Capability) => boolean): Promise<readonly [string, string?]> {
  const token = await need('token');
  if (has('token.unused-credential')) {
    const newToken = await need('token.unused-credential');
    return [await newToken(), await newToken()];
  }
  if (has('token.second-credential')) return [await need('token.second-credential'), token];
  // Other checks also use this token, so the load must first wait until the token's rate limit has reset.
  markUsed({ token });
  return [token];
}
