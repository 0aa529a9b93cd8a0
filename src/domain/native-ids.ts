import { isUuid } from '../contract/uuid.ts';

const NUMERIC = /^[0-9]+$/;
const BASE62 = /^[0-9A-Za-z_-]+$/;

type UserIdStyle = 'unified' | 'base62' | 'legacy-numeric';

/** Returns the id styles to try, in order (GET /users/{userId}). @param digits the style to try first if the id contains only digits */
export function findStyles(userId: string, digits: 'legacy-numeric' | 'base62'): readonly UserIdStyle[] {
  if (isUuid(userId)) return ['unified'];
  if (NUMERIC.test(userId)) return digits === 'base62' ? ['base62', 'legacy-numeric'] : ['legacy-numeric', 'base62'];
  return BASE62.test(userId) ? ['base62'] : [];
}
