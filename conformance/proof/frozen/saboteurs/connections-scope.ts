import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import type { Request } from '../exchange.ts';
import type { Saboteur, SaboteursOf } from '../saboteur.ts';
import { around, type Operation, withAllScopes } from './connections-world.ts';
import { refusedBy } from './refused.ts';

/** A server that lets tokens without the scope pass. */
function lets(operation: Operation, does: string, pass: (request: Request) => boolean = () => true): Saboteur {
  return around(operation, does, async (request, service, behind) => {
    const reply = await service(request);
    if (refusedBy(reply) !== 'auth.missing-scope' || !pass(request)) return reply;
    return service(await withAllScopes(request, behind));
  });
}

/** The scopes of a token that the kit takes. */
function scopesOf({ headers }: Request): readonly string[] {
  const [, payload = ''] = (headers.authorization ?? '').split('.');
  const { scope } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { scope?: string };
  return scope?.split(' ').filter((name) => name !== '') ?? [];
}

function withoutScope(operation: Operation, does: string): readonly [Saboteur, ...Saboteur[]] {
  return [
    lets(operation, `${does} to any good token.`),
    lets(operation, `${does} with the scope for assignments.`, (request) => scopesOf(request).includes('experience-assignments:manage')),
  ];
}

/** Servers that do something with tokens that have no scope for it. */
export const connectionsScope = {
  'connections.list.scope': withoutScope('getExperienceConnections', 'Lists connections'),
  'connections.create.scope': withoutScope('createExperienceConnection', 'Creates connections'),
  'connections.get.scope': withoutScope('getExperienceConnection', 'Shows connections'),
  'connections.update.scope': withoutScope('updateExperienceConnection', 'Updates connections'),
  'connections.delete.scope': withoutScope('deleteExperienceConnection', 'Deletes connections'),
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;
