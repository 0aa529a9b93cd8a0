import type { EngineErrors } from '../engine.ts';

/** Extended result codes. A foreign key with `restrict` is a trigger. */
const FOREIGN_KEY = 787;
const PRIMARY_KEY = 1555;
const TRIGGER = 1811;
const UNIQUE = 2067;
/** Primary result codes: out of memory, read-only, I/O error, full, cannot open. */
const UNAVAILABLE = new Set([7, 8, 10, 13, 14]);

export const sqliteErrors: EngineErrors = {
  isUnavailable: ({ code, errcode }) => code === 'ERR_SQLITE_ERROR' && UNAVAILABLE.has(Number(errcode) & 0xff),
  isForeignKeyViolation: ({ errcode, message }) =>
    errcode === FOREIGN_KEY || (errcode === TRIGGER && String(message).startsWith('FOREIGN KEY')),
  uniqueViolation({ errcode, message }) {
    if (errcode !== UNIQUE && errcode !== PRIMARY_KEY) return undefined;
    const [, columns = ''] = String(message).split('constraint failed: ');
    const names = columns.split(', ').map((column) => column.split('.'));
    return { table: String(names[0]?.[0]), columns: names.map(([, name]) => String(name)) };
  },
};
