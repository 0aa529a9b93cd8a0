import { Problem } from './problem.ts';
import type { TargetType } from './service.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const E164 = /^\+[1-9][0-9]{1,14}$/;

export function parseUuid(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  return UUID.test(text) ? text : undefined;
}

export function isE164(value: unknown): value is string {
  return typeof value === 'string' && E164.test(value);
}

export function parseTargetType(value: unknown): TargetType | undefined {
  return value === 'ACCOUNT' || value === 'PHONE_NUMBER' || value === 'USER' ? value : undefined;
}

export function parseTargetValue(targetType: TargetType, value: unknown): string | undefined {
  if (targetType === 'PHONE_NUMBER') return isE164(value) ? value : undefined;
  return parseUuid(value);
}

export function readQueryUuid(query: URLSearchParams, name: string): string | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  const uuid = parseUuid(value);
  if (uuid === undefined) throw new Problem(400, `${name} is not a UUID`);
  return uuid;
}

export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
