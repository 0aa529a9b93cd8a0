import { type DecidedRefusal, isRefused, type Refusal } from '../../contract/outcome.ts';
import type { Actor } from '../../domain/access.ts';
import type { ServiceContext } from '../../service/context.ts';
import type { Collection } from '../../world/world.ts';
import type { Intended } from './plan.ts';
import type { Known } from './references.ts';
import { refuse, type StateRefusal } from './refusal.ts';

/** How a collection is written whose use cases open their own transactions and refuse in the words of the API. */
export interface UseCases<C extends Collection> {
  /** @returns the id that it was given. */
  create(context: ServiceContext, actor: Actor, next: Intended<C>): Promise<string>;
  update(context: ServiceContext, actor: Actor, next: Intended<C>): Promise<void>;
  remove(context: ServiceContext, actor: Actor, current: Known<C>): Promise<void>;
}

/** Members as the API calls them, and as a world does. */
const POINTERS: Readonly<Record<string, string>> = { '/experienceId': '/experience', '/accountId': '/account', '/targetValue': '/target' };

/** The result of a use case. Its refusal becomes one of the control API, which names the rule or decision behind it. */
export function accepted<T extends object>(result: T): Exclude<T, Refusal | DecidedRefusal> {
  if (!isRefused(result)) return result as Exclude<T, Refusal | DecidedRefusal>;
  const refusal = result as unknown as Refusal | DecidedRefusal;
  const source = 'rule' in refusal ? `Rule ${refusal.rule}` : `Decision ${refusal.decided}`;
  const errors = refusal.errors?.map(({ pointer, message }) => ({ pointer: POINTERS[pointer] ?? pointer, message }));
  return refuse(kindOf(refusal), `${refusal.detail} (${source}.)`, errors);
}

/** A documented 404 means that the entity itself is gone. A decision may set 404, too, for an entity that the request refers to. */
function kindOf(refusal: Refusal | DecidedRefusal): StateRefusal['refused'] {
  if ('refused' in refusal && refusal.refused === 404) return 'not-found';
  return refusal.evidence?.cause === 'unknown' ? 'invalid' : 'conflict';
}
