/** Whether two ids are one: the letters of a UUID may come back in another case. */
export function sameId(found: unknown, id: string): boolean {
  return typeof found === 'string' && found.toLowerCase() === id.toLowerCase();
}
