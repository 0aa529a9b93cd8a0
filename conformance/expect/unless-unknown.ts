import type { Capability } from '../target/capabilities.ts';
import type { Answer } from '../target/exchange.ts';
import type { Need } from '../target/need.ts';

/**
 * The answer to a call that is to succeed before a change to it is refused. Where it names what nobody has (`account.any` and the like), a target may
 * answer 403 or 404 instead: then the check is not testable for want of what is known.
 */
export async function unlessUnknown(need: Need, answer: Answer, ...known: readonly Capability[]): Promise<Answer> {
  if (answer.status === 403 || answer.status === 404) for (const capability of known) await need(capability);
  return answer;
}
