import { isUuid } from '../contract/uuid.ts';

const NUMERIC = /^[0-9]+$/;
const BASE62 = /^[0-9A-Za-z_-]+$/;

export type UserIdStyle = 'unified' | 'base62' | 'legacy-numeric';

/**
 * The styles that an id may have, in the order in which they are tried (GET /users/{userId}). An id of an unsupported style has none. Digits alone fit
 * both native styles; the decision `users.native-id.ambiguous` says which comes first.
 */
export function stylesOf(userId: string, digits: 'legacy-numeric' | 'base62'): readonly UserIdStyle[] {
  if (isUuid(userId)) return ['unified'];
  if (NUMERIC.test(userId)) return digits === 'base62' ? ['base62', 'legacy-numeric'] : ['legacy-numeric', 'base62'];
  return BASE62.test(userId) ? ['base62'] : [];
}
