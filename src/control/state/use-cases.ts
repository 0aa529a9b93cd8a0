import { type DecidedRefusal, isRefused, type Refusal } from '../../contract/outcome.ts';
import type { Actor } from '../../domain/access.ts';
import type { Collection } from '../../fixtures/world.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Intended } from './plan.ts';
import type { Known } from './references.ts';
import { refuse } from './refusal.ts';

/** How a collection is written whose use cases open their own transactions and refuse in the words of the API. */
export interface UseCases<C extends Collection> {
  /** @returns the id that it was given. */
  create(context: ServiceContext, actor: Actor, next: Intended<C>): Promise<string>;
  update(context: ServiceContext, actor: Actor, next: Intended<C>): Promise<void>;
  remove(context: ServiceContext, actor: Actor, current: Known<C>): Promise<void>;
}

/** Members as the API calls them, and as a world does. */
const POINTERS: Readonly<Record<string, string>> = { '/experienceId': '/experience', '/accountId': '/account', '/targetValue': '/target' };

/** The result of a use case; its refusal becomes the operator's, with the rule or decision that it rests on. */
export function accepted<T extends object>(result: T): Exclude<T, Refusal | DecidedRefusal> {
  if (!isRefused(result)) return result as Exclude<T, Refusal | DecidedRefusal>;
  const { detail, errors = [], ...why } = result as unknown as Refusal | DecidedRefusal;
  const rule = 'rule' in why ? why.rule : why.decided;
  const words = 'rule' in why ? `${detail} (Rule ${rule}.)` : `${detail} (Decision ${rule}.)`;
  // What is referred to was found just before, so what is unknown now was deleted meanwhile.
  return refuse(rule.endsWith('.not-found') ? 'not-found' : rule.includes('.unknown-') ? 'invalid' : 'conflict', words, [
    ...errors.map(({ pointer, message }) => ({ pointer: POINTERS[pointer] ?? pointer, message })),
  ]);
}
