import type { OperationId } from '../contract/generated/operations.ts';
import type { operations as Operations } from '../contract/generated/service.ts';
import type { Outcome } from '../contract/outcome.ts';
import type { Actor } from '../domain/access.ts';
import type { ServiceContext } from '../service/context.ts';

type Parameters<Op extends OperationId> = Operations[Op]['parameters'];
/** Query values as they arrived. Enumerations keep their type; numbers are still text. */
type QueryText<Query> = { readonly [Name in keyof Query]: Query[Name] extends number | undefined ? string | undefined : Query[Name] };

/** A request that has passed every gate. */
export interface CheckedRequest<Op extends OperationId> {
  readonly actor: Actor;
  readonly path: Parameters<Op> extends { path: infer Path } ? Path : Record<never, string>;
  readonly query: Parameters<Op> extends { query?: infer Query } ? QueryText<NonNullable<Query>> : Record<never, string>;
  readonly body: Operations[Op] extends { requestBody: { content: { 'application/json': infer Body } } } ? Body : undefined;
}

/** Runs one use case and returns its result as a documented response. */
export type Handler<Op extends OperationId> = (request: CheckedRequest<Op>, context: ServiceContext) => Promise<Outcome<Op>>;

/** One handler for each operation. A missing one does not compile. */
export type Handlers = { readonly [Op in OperationId]: Handler<Op> };
