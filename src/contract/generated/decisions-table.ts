// Machine-written by `npm run generate` from openapi/decisions.yaml. Do not edit.
import type { DecisionId } from './decisions.ts';
import type { OperationId } from './operations.ts';
import table from './decisions.json' with { type: 'json' };

export interface Decision {
  question: string;
  /** The place in the specification. */
  section: string;
  default: string | number | boolean;
  /** What a correct service may do as well; the default is not among them. */
  alternatives?: readonly (string | number | boolean)[];
  /** Instead of alternatives: any value of this JSON Schema. */
  values?: { readonly type: 'string' | 'integer'; readonly minimum?: number; readonly maximum?: number; readonly pattern?: string };
  /** Those of them that the variants of the suite take. */
  sample?: readonly (string | number)[];
  /** A sentence for each value. */
  means: Readonly<Record<string, string>>;
  /** True, or why it cannot be seen from outside. */
  observable: true | string;
  operations: readonly OperationId[];
}

/** Every open point of the specification. */
export const decisions = table as unknown as Readonly<Record<DecisionId, Decision>>;
