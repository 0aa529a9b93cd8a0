import { bodyOf, isSuccess, type Reply, type Request } from '../exchange.ts';
import { type Behind, type Operations, type Saboteur, saboteur } from '../saboteur.ts';

/** The rule by which the service refused; undefined for any other answer. */
export function refusedBy(reply: Reply): string | undefined {
  return isSuccess(reply) ? undefined : String(bodyOf(reply).type).replace('/problems/', '');
}

/** A saboteur that changes only the responses that refuse a request for one of these reasons: a rule, a decision, or a status that can only be injected. */
export function whereRefused(
  reasons: string | number | readonly string[],
  operations: Operations,
  does: string,
  answer: (reply: Reply, request: Request, behind: Behind) => Reply | undefined | Promise<Reply | undefined>,
): Saboteur {
  return saboteur(does, operations, (reply, request, behind) =>
    [reasons].flat().some((reason) => reason === refusedBy(reply) || reason === reply.status) ? answer(reply, request, behind) : undefined,
  );
}
