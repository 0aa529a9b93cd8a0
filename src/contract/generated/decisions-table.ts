// Machine-written by `npm run generate` from openapi/decisions.yaml. Do not edit.
import type { DecisionId } from './decisions.ts';
import type { OperationId } from './operations.ts';
import table from './decisions.json' with { type: 'json' };

export interface Decision {
  question: string;
  /** The section of the specification that leaves the point open. */
  section: string;
  default: string | number | boolean;
  /** The values that a correct service may choose instead of the default. */
  alternatives?: readonly (string | number | boolean)[];
  /** A JSON Schema, if a correct service may choose any value that the schema accepts. Such a decision has no `alternatives`. */
  values?: { readonly type: 'string' | 'integer'; readonly minimum?: number; readonly maximum?: number; readonly pattern?: string };
  /** Examples of allowed values, if `values` is present. The suite is tested with each example. */
  sample?: readonly (string | number)[];
  /** A sentence about each value, which explains what the kit does if the value is chosen. */
  means: Readonly<Record<string, string>>;
  /** The reason why the suite cannot observe the decision. Undefined if it can. */
  notObservedBecause?: string;
  operations: readonly OperationId[];
}

/** Every open point of the specification, by id. */
export const decisions = table as unknown as Readonly<Record<DecisionId, Decision>>;
