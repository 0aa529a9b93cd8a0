export function isSameId(found: unknown, id: string): boolean {
  return typeof found === 'string' && found.toLowerCase() === id.toLowerCase();
}
