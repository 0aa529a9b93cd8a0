import { bodyOf, isSuccess, type Reply, type Request } from '../exchange.ts';
import { type Behind, type Operations, type Saboteur, saboteur } from '../saboteur.ts';

/** The rule by which the service refused; undefined for any other answer. */
export function refusedBy(reply: Reply): string | undefined {
  return isSuccess(reply) ? undefined : String(bodyOf(reply).type).replace('/problems/', '');
}

/** A saboteur that answers otherwise where the service refuses by one of these rules or decisions, and nowhere else. */
export function whereRefused(
  rules: string | readonly string[],
  operations: Operations,
  does: string,
  answer: (reply: Reply, request: Request, behind: Behind) => Reply | undefined | Promise<Reply | undefined>,
): Saboteur {
  return saboteur(does, operations, (reply, request, behind) =>
    [rules].flat().includes(refusedBy(reply) ?? '') ? answer(reply, request, behind) : undefined,
  );
}
