import { prepared } from './prepared.ts';
import type { Tables } from './schema.ts';

/** All faults, in the order in which they were added. */
export const allFaults = prepared((db, _: object) => db.selectFrom('faults').selectAll().orderBy('number'));

/** Adds a fault. The database generates its number. @param fault the fault without its id, as JSON */
export const insertFault = prepared((db, p: { fault: string }) =>
  db
    .insertInto('faults')
    .values({ fault: p.fault, seen: 0 } as Tables['faults'])
    .returning('number'),
);

export const deleteFault = prepared((db, p: { number: number }) => db.deleteFrom('faults').where('number', '=', p.number));
export const deleteFaults = prepared((db, _: object) => db.deleteFrom('faults'));

/** Counts a request that matches a fault, over all replicas. Returns the new number of requests; no row if the fault was removed. */
export const countMatch = prepared((db, p: { number: number }) =>
  db
    .updateTable('faults')
    .set((eb) => ({ seen: eb('seen', '+', 1) }))
    .where('number', '=', p.number)
    .returning('seen'),
);
