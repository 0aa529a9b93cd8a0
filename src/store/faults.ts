import { prepareQuery } from './prepared.ts';
import type { Tables } from './schema.ts';

/** Lists all faults, oldest first. */
export const allFaults = prepareQuery((db, _: object) => db.selectFrom('faults').selectAll().orderBy('number'));

/** Adds a fault under a generated number. @param fault the fault without its id, as JSON */
export const insertFault = prepareQuery((db, p: { fault: string }) =>
  db
    .insertInto('faults')
    .values({ fault: p.fault, seen: 0 } as Tables['faults'])
    .returning('number'),
);

export const deleteFault = prepareQuery((db, p: { number: number }) => db.deleteFrom('faults').where('number', '=', p.number));
export const deleteFaults = prepareQuery((db, _: object) => db.deleteFrom('faults'));

/** Counts a request that matches a fault. Returns no row if the fault was removed. */
export const countMatch = prepareQuery((db, p: { number: number }) =>
  db
    .updateTable('faults')
    .set((eb) => ({ seen: eb('seen', '+', 1) }))
    .where('number', '=', p.number)
    .returning('seen'),
);
