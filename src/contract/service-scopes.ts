import { operations } from './generated/operations.ts';

/** The scopes that the operations require (Authentication). */
export const SERVICE_SCOPES: ReadonlySet<string> = new Set(Object.values(operations).map(({ scope }) => scope));
