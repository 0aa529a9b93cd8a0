// Machine-written by `npm run generate` from openapi/openapi.yaml, openapi/asyncapi.yaml, openapi/authorization.yaml, openapi/control.yaml. Do not edit.
import type { Rule, RuleId } from './rules.ts';
import table from './rules.json' with { type: 'json' };

/**
 * Every rule of the contract, by id. The table is in a separate file, because the server needs only the types and should not load the
 * table.
 */
export const rules = table as Readonly<Record<RuleId, Rule>>;
