import { isUuid } from '../contract/uuid.ts';

const NUMERIC = /^[0-9]+$/;
const BASE62 = /^[0-9A-Za-z_-]+$/;

export type UserIdStyle = 'unified' | 'base62' | 'legacy-numeric';

/**
 * The styles that an id can be of, the likelier first (GET /users/{userId}). None for a style of another infrastructure: such an id is not found.
 * Digits alone fit both native styles; which wins is the decision `users.native-id.ambiguous`.
 */
export function stylesOf(userId: string, digitsAre: 'legacy-numeric' | 'base62'): readonly UserIdStyle[] {
  if (isUuid(userId)) return ['unified'];
  if (NUMERIC.test(userId)) return digitsAre === 'base62' ? ['base62', 'legacy-numeric'] : ['legacy-numeric', 'base62'];
  return BASE62.test(userId) ? ['base62'] : [];
}
