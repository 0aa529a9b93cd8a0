import { isUuid } from '../../../../src/contract/uuid.ts';
import type { Json, Reply, Request } from '../exchange.ts';
import type { Behind, Saboteur } from '../saboteur.ts';
import { connectionOf } from './connections-world.ts';
import { whereRefused } from './refused.ts';

type Operation = 'getExperienceConnection' | 'updateExperienceConnection' | 'deleteExperienceConnection';

/** Why a connection is not found: it is out of the caller's sight, is not there, or cannot be with such an id. */
export type Cause = 'hidden' | 'missing' | 'no-uuid';

const RULES = {
  getExperienceConnection: 'connections.get.not-found',
  updateExperienceConnection: 'connections.update.not-found',
  deleteExperienceConnection: 'connections.delete.not-found',
} as const;

/** A saboteur of connections that are not found. @param answer gets the connection that is hidden. */
export function notFound(
  operation: Operation,
  cause: Cause,
  does: string,
  answer: (hidden: Json, request: Request, behind: Behind) => Reply | undefined | Promise<Reply | undefined>,
): Saboteur {
  return whereRefused(RULES[operation], operation, does, async (_reply, request, behind) => {
    if (!isUuid(request.path.experienceConnectionId ?? '')) return cause === 'no-uuid' ? answer({}, request, behind) : undefined;
    const hidden = await connectionOf(request, behind);
    return (hidden === undefined ? 'missing' : 'hidden') === cause ? answer(hidden ?? {}, request, behind) : undefined;
  });
}
