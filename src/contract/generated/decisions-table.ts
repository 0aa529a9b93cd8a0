// Machine-written by `npm run generate` from openapi/decisions.yaml. Do not edit.
import type { DecisionId } from './decisions.ts';
import type { OperationId } from './operations.ts';
import table from './decisions.json' with { type: 'json' };

export interface Decision {
  question: string;
  /** The section of the specification that leaves the point open. */
  section: string;
  default: string | number | boolean;
  /** Other values that a correct service may choose, without the default. */
  alternatives?: readonly (string | number | boolean)[];
  /** Instead of the alternatives: a JSON Schema, if a correct service may choose any value that is valid by it. */
  values?: { readonly type: 'string' | 'integer'; readonly minimum?: number; readonly maximum?: number; readonly pattern?: string };
  /** Some values that are valid by that schema, with which the suite is tested. */
  sample?: readonly (string | number)[];
  /** By value: a sentence that explains what the kit does with it. */
  means: Readonly<Record<string, string>>;
  /** True if a client can observe the decision; otherwise the reason why it cannot. */
  observable: true | string;
  operations: readonly OperationId[];
}

/** Every open point of the specification, by id. */
export const decisions = table as unknown as Readonly<Record<DecisionId, Decision>>;
