// Machine-written by `npm run generate` from openapi/openapi.yaml, openapi/asyncapi.yaml, openapi/authorization.yaml, openapi/control.yaml. Do not edit.
import type { Rule, RuleId } from './rules.ts';
import table from './rules.json' with { type: 'json' };

/** Every rule of the contract. Kept apart from the types: whoever answers requests has no need to load it. */
export const rules = table as Readonly<Record<RuleId, Rule>>;
