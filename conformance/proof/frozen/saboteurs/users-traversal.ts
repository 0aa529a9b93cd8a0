import { bodyOf, isSuccess, type Json, type Reply, type Request } from '../exchange.ts';
import { remembering, type Saboteur, type Service } from '../saboteur.ts';
import { entitiesOf } from './users-world.ts';

/** A page of the users list, and how the caller came to it. */
interface Page {
  readonly request: Request;
  /** The request that was answered with the cursor; undefined without a cursor, or with one that was not issued. */
  readonly from: Request | undefined;
  /** The users on the pages before. */
  readonly before: readonly Json[];
  readonly service: Service;
}

/** A saboteur that changes pages of the users list by what it remembers of the pages before, and refusals of their cursors. */
export function onPages(does: string, change: (reply: Reply, page: Page) => Reply | undefined | Promise<Reply | undefined>): Saboteur {
  return remembering(does, () => {
    const issued = new Map<unknown, { readonly from: Request; readonly before: readonly Json[] }>();
    return async (request, service) => {
      const reply = await service(request);
      if (request.operation !== 'getUsers') return reply;
      const { from, before = [] } = issued.get(request.query.cursor) ?? {};
      if (isSuccess(reply)) issued.set(bodyOf(reply).cursor, { from: request, before: [...before, ...entitiesOf(reply)] });
      return (await change(reply, { request, from, before, service })) ?? reply;
    };
  });
}
