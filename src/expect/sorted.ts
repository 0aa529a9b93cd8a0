import { compareInstants } from '../contract/instants.ts';

export type SortField = 'createdAt' | 'updatedAt' | 'firstName' | 'lastName';

/** Users without the field may be anywhere. */
export function isSorted(users: readonly { readonly [Field in SortField]?: unknown }[], field: SortField, isDescending: boolean): boolean {
  const values = users.map((user) => user[field]).filter((value) => typeof value === 'string');
  const ascending = isDescending ? values.toReversed() : values;
  const compare = field.endsWith('At') ? compareInstants : (a: string, b: string) => (a < b ? -1 : Number(a > b));
  return ascending.every((value, index) => index === 0 || compare(ascending[index - 1]!, value) <= 0);
}
