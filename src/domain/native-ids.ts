import { isUuid } from '../contract/uuid.ts';

const NUMERIC = /^[0-9]+$/;
const BASE62 = /^[0-9A-Za-z_-]+$/;

export type UserIdStyle = 'unified' | 'base62' | 'legacy-numeric';

/**
 * Returns the id styles with which to look up a user, in lookup order (GET /users/{userId}). The list is empty if the id's style is not
 * supported. An id that contains only digits is valid in both native styles: `digits` is the style to try first (decision
 * `users.native-id.ambiguous`).
 */
export function findStyles(userId: string, digits: 'legacy-numeric' | 'base62'): readonly UserIdStyle[] {
  if (isUuid(userId)) return ['unified'];
  if (NUMERIC.test(userId)) return digits === 'base62' ? ['base62', 'legacy-numeric'] : ['legacy-numeric', 'base62'];
  return BASE62.test(userId) ? ['base62'] : [];
}
