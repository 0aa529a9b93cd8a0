import type { Capability, Need } from '../target/capabilities.ts';
import { getUnassignedTarget } from './assignments.ts';
import { type AssignabilityCheck, markUsed } from './load.ts';

let unassignedNumber: string | undefined;

/** Returns the same assignability request with two credentials. Only the first credential will exceed the rate limit. */
export async function createLimitSamples(
  need: Need,
  has: (capability: Capability) => boolean,
): Promise<readonly [AssignabilityCheck, AssignabilityCheck | undefined]> {
  await need('token', 'rate', 'experience', 'numbers');
  unassignedNumber ??= await getUnassignedTarget(need, 'PHONE_NUMBER');
  const query = { targetType: 'PHONE_NUMBER', targetValue: unassignedNumber };
  const secondQuery = has('account') ? { targetType: 'ACCOUNT', targetValue: await need('account') } : query;
  const call = { path: { experienceId: await need('experience') }, query, secondQuery };
  if (has('token.unused-credential')) {
    const newToken = await need('token.unused-credential');
    return [
      { ...call, token: await newToken() },
      { ...call, token: await newToken() },
    ];
  }
  const token = await need('token');
  if (has('token.second-credential'))
    return [
      { ...call, token: await need('token.second-credential') },
      { ...call, token },
    ];
  // Other checks also use this token, so wait until the token's rate limit has reset before the load test.
  markUsed({ token });
  return [{ ...call, token }, undefined];
}
