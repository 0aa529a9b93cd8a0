import type { HostileValue } from '../refusals/hostile-value.ts';
import {
  createHostilePageSizes,
  HOSTILE_NUMBERS,
  HOSTILE_TARGET_TYPES,
  HOSTILE_TARGETS,
  HOSTILE_UUIDS,
  type TargetType,
  UNKNOWN_NUMBER,
  VALID_UUID,
} from '../refusals/hostile-values.ts';

/** No server sorts by these. The last ones exist on every JavaScript object. */
const HOSTILE_SORTS = ['no such field', '*', 'createdAt;', 'constructor', 'toString', '__proto__'].map((value) => ({ value, flaw: '' }));

/**
 * Returns the invalid values of a parameter or member. Where they contain a whole id or number, it is the valid one, because a server that
 * accepts the value then finds the entity.
 * @param given the valid values of the request
 */
export function listInvalidValues(name: string, given: Readonly<Record<string, unknown>>, maximum = 100): readonly HostileValue[] {
  const valid = given[name];
  const values = findInvalidValues(name, given, maximum);
  if (typeof valid !== 'string' || name === 'targetType') return values;
  return values.map((each) => {
    const value = each.value.replace(VALID_UUID, () => valid).replace(UNKNOWN_NUMBER, () => valid);
    return value === valid ? each : { ...each, value };
  });
}

function findInvalidValues(name: string, given: Readonly<Record<string, unknown>>, maximum: number): readonly HostileValue[] {
  if (name === 'accountId' || name === 'experienceId') return HOSTILE_UUIDS;
  if (name === 'telephoneNumber' || name === 'tn') return HOSTILE_NUMBERS;
  if (name === 'targetType') return HOSTILE_TARGET_TYPES;
  if (name === 'targetValue') return HOSTILE_TARGETS[given.targetType as TargetType];
  if (name === 'pageSize') return createHostilePageSizes(maximum);
  return HOSTILE_SORTS;
}
