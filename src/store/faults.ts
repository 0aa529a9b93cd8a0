import { prepareQuery } from './prepared.ts';
import type { Tables } from './schema.ts';

export const allFaults = prepareQuery((db, _: object) => db.selectFrom('faults').selectAll().orderBy('number'));

export const insertFault = prepareQuery((db, p: { fault: string }) =>
  db
    .insertInto('faults')
    .values({ fault: p.fault, seen: 0 } as Tables['faults'])
    .returning('number'),
);

export const deleteFault = prepareQuery((db, p: { number: number }) => db.deleteFrom('faults').where('number', '=', p.number));
export const deleteFaults = prepareQuery((db, _: object) => db.deleteFrom('faults'));

/** Returns no row if the fault was removed. */
export const countMatch = prepareQuery((db, p: { number: number }) =>
  db
    .updateTable('faults')
    .set((eb) => ({ seen: eb('seen', '+', 1) }))
    .where('number', '=', p.number)
    .returning('seen'),
);
