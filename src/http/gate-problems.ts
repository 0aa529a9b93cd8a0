import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { type GateId, gates } from '../contract/generated/gates.ts';
import { type Problem, sendProblem } from './problem-response.ts';

/** The gates' problems, from openapi/gates.yaml. */
export const gateProblems = gates;

export type GateProblemId = GateId;

/** A gate's no: which problem, what exactly is wrong, and headers the answer needs (Allow, WWW-Authenticate). */
export interface Refusal {
  readonly problem: GateProblemId;
  readonly detail?: string;
  readonly headers?: OutgoingHttpHeaders;
}

/** What a guard says of a request: undefined lets it pass. */
export type Verdict = Refusal | undefined;

/** The problem of a refusal, ready for `sendProblem`. */
export function gateProblem(id: GateProblemId, detail?: string): Problem {
  const { status, title, text } = gateProblems[id];
  return { id, status, title, detail: detail ?? text };
}

/** Answers with a gate's refusal. Returns false when an answer had begun already. */
export function sendRefusal(res: ServerResponse, refusal: Refusal): boolean {
  return sendProblem(res, gateProblem(refusal.problem, refusal.detail), refusal.headers);
}
