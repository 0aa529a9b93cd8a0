/** A uniqueness that two writers raced for: the table and the columns that had to be unique together. */
export interface UniqueViolation {
  table: string;
  columns: string[];
}

interface DatabaseError {
  code?: unknown;
  errcode?: unknown;
  constraint?: unknown;
  message?: unknown;
}

// Extended result codes of SQLite, where a RESTRICT is a trigger of its own.
const SQLITE_FOREIGN_KEY = 787;
const SQLITE_PRIMARY_KEY = 1555;
const SQLITE_TRIGGER = 1811;
const SQLITE_UNIQUE = 2067;

/** The constraint that an error of either engine says is broken, so that a race lost at the database becomes the documented conflict. */
export function uniqueViolation(error: unknown): UniqueViolation | undefined {
  const { code, errcode, constraint, message } = fields(error);
  // Constraints are named after what they hold, `table:column,column` (migrations/table.ts).
  if (code === '23505') return parse(String(constraint), ':', (columns) => columns.split(','));
  if (errcode !== SQLITE_UNIQUE && errcode !== SQLITE_PRIMARY_KEY) return undefined;
  const [, list = ''] = String(message).split('constraint failed: ');
  return parse(list, '.', () => list.split(', ').map((column) => column.slice(column.indexOf('.') + 1)));
}

/** Whether a row points at one that does not exist, or one that is still pointed at was to go. */
export function isForeignKeyViolation(error: unknown): boolean {
  const { code, errcode, message } = fields(error);
  if (code === '23503' || code === '23001' || errcode === SQLITE_FOREIGN_KEY) return true;
  return errcode === SQLITE_TRIGGER && String(message).startsWith('FOREIGN KEY');
}

/** Whether PostgreSQL undid the transaction for the sake of another one, so that running it again is right. */
export function isRetryable(error: unknown): boolean {
  const { code } = fields(error);
  return code === '40001' || code === '40P01';
}

function fields(error: unknown): DatabaseError {
  return typeof error === 'object' && error !== null ? error : {};
}

function parse(text: string, separator: string, columns: (rest: string) => string[]): UniqueViolation {
  const at = text.indexOf(separator);
  return { table: text.slice(0, at), columns: columns(text.slice(at + 1)) };
}
