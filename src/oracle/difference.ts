import type { OperationId } from '../contract/generated/operations.ts';
import type { RuleId } from '../contract/generated/rules.ts';
import type { Probe, Request } from './side.ts';

/** What the target does differently from the model, and the rule that it breaks. */
export interface Difference {
  readonly rule: RuleId;
  readonly message: string;
  /** The request that showed it. Absent: the answer to a command, or the events. */
  readonly request?: { readonly operation: OperationId; readonly request: Request };
  /** The kind of look that showed it (getShape), or the probe. */
  readonly shape?: string;
  readonly probe?: Probe;
  /** The entity of the event that showed it. */
  readonly about?: string;
  /** The entity that a list lacks. */
  readonly lacks?: string;
}
