import fc, { type Arbitrary } from 'fast-check';
import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import { payload } from './body.ts';
import { authorization, extras } from './headers.ts';
import type { Late } from './known.ts';
import { query } from './query.ts';
import { path } from './target.ts';

/** A request as it is sent. */
export interface FuzzRequest {
  readonly method: string;
  /** The request target: what stands between method and version. */
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer | undefined;
}

const OTHER_METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'];

/** Requests of one operation: each part is mostly good, so that often just one is not, and often none. */
function requestOf(operationId: OperationId): Arbitrary<Late<FuzzRequest>> {
  const own = operations[operationId].method.toUpperCase();
  const method = fc.oneof({ weight: 30, arbitrary: fc.constant(own) }, { weight: 1, arbitrary: fc.constantFrom(...OTHER_METHODS) });
  const parts = fc.record({
    method,
    path: path(operationId),
    query: query(operationId),
    payload: payload(operationId),
    authorization,
    extras,
  });
  return parts.map((late) => (known) => {
    const { bytes, headers } = late.payload(known);
    return {
      method: late.method,
      target: late.path(known) + late.query(known),
      headers: [...late.authorization(known), ...headers, ...late.extras],
      body: bytes,
    };
  });
}

/** Writes come more often than their share: state is where the surprises are. So does the operation that has a rate limit. */
const WEIGHTS: Partial<Record<OperationId, number>> = {
  getExperienceAssignability: 3,
  createExperienceAssignment: 3,
  deleteExperienceAssignment: 2,
  createExperienceConnection: 2,
  updateExperienceConnection: 2,
  deleteExperienceConnection: 2,
};

/** Any request to the service. What it names is looked up when it is sent. */
export const anyRequest: Arbitrary<Late<FuzzRequest>> = fc.oneof(
  ...(Object.keys(operations) as OperationId[]).map((id) => ({ weight: WEIGHTS[id] ?? 1, arbitrary: requestOf(id) })),
);
