import { addEvidence, createGateFailure, type Failure } from '../../contract/failure.ts';
import type { Decisions } from '../../contract/generated/decisions.ts';
import { statusOf } from '../../contract/generated/rules.ts';
import type { Exchange } from '../exchange.ts';
import type { OriginGuard } from '../origin-guard.ts';
import { createProblem } from './fault.ts';

/** Prism has the same preference. Preferences are separated by commas (RFC 7240, section 2). */
const CODE = /(?:^|[,;])\s*code\s*=\s*("?)([^\s,;"]+)\1\s*(?=$|[,;])/i;

interface PreferenceContext {
  readonly decisions: Decisions;
  /** Decides whether a request may use the control API. Undefined if the kit has no control API. */
  readonly controlGuard: OriginGuard | undefined;
}

/**
 * Lets a request choose its refusal: `Prefer: code=503` gets the operation's problem with this status. Other requests than those that may
 * use the control API are handled as if they had no preference.
 */
export function createPreferenceGate({ decisions, controlGuard }: PreferenceContext): (exchange: Exchange) => Failure | undefined {
  return (exchange) => {
    const { prefer } = exchange.req.headers;
    if (prefer === undefined || controlGuard === undefined) return undefined;
    const code = CODE.exec(String(prefer))?.[2];
    if (code === undefined || controlGuard(exchange.req) !== undefined) return undefined;
    const { operationId, operation } = exchange;
    const refusals = operation.statuses.filter((status) => typeof status === 'number' && status >= 400);
    const status = refusals.find((each) => String(each) === code) as number | undefined;
    if (status === undefined) {
      const detail = `The Prefer header asks for the status ${code}, but the refusals of ${operationId} have the statuses ${refusals.join(', ')}.`;
      return createGateFailure('http.preference-not-documented', detail);
    }
    const rule = Object.entries(statusOf[operationId]).find(([, each]) => each === status)?.[0];
    const detail = 'The Prefer header of the request chose this response. The request itself was not evaluated.';
    const problem = createProblem({ status, rule, detail }, decisions);
    return addEvidence(
      { ...problem, headers: { ...problem.headers, 'Preference-Applied': `code=${status}` } },
      { cause: 'preference', status },
    );
  };
}
