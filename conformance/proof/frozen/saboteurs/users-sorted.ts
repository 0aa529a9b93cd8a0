import type { TestableRuleId } from '../../../../src/contract/generated/rules.ts';
import { asking, type Json, withEntities } from '../exchange.ts';
import { misreading, remembering, type SaboteursOf } from '../saboteur.ts';

/** Servers that list in another order than the one asked for. */
export const usersSorted = {
  'users.list.sorted': [
    misreading('Lists in the order of creation, whatever sortBy names.', 'getUsers', (request) =>
      asking(request, { query: { sortBy: undefined } }),
    ),
    misreading('Lists in ascending order, whatever sortOrder names.', 'getUsers', (request) =>
      asking(request, { query: { sortOrder: undefined } }),
    ),
    ...(
      [
        ['updatedAt', 'createdAt'],
        ['lastName', 'firstName'],
        ['firstName', 'lastName'],
      ] as const
    ).map(([named, taken]) =>
      misreading(`Lists by ${taken} where sortBy is ${named}.`, 'getUsers', (request) =>
        request.query.sortBy === named ? asking(request, { query: { sortBy: taken } }) : undefined,
      ),
    ),
    remembering('Sorts each page, but takes the users for it in the order of creation.', () => async (request, service) => {
      const { sortBy, sortOrder } = request.query;
      if (request.operation !== 'getUsers' || sortBy === undefined) return service(request);
      const reply = await service(asking(request, { query: { sortBy: undefined, sortOrder: undefined } }));
      const sign = sortOrder === 'desc' ? -1 : 1;
      const key = (user: Json) => String(user[sortBy] ?? '');
      return withEntities(reply, (users) => users.toSorted((a, b) => (key(a) < key(b) ? -sign : key(a) > key(b) ? sign : 0)));
    }),
  ],
} satisfies Partial<SaboteursOf<TestableRuleId['openapi']>>;
