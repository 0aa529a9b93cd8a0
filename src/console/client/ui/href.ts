import { consolePath } from '../kit/control.ts';

/**
 * @param path the page's path in the console, such as `/requests`
 * @param query the query parameters, of which undefined and empty ones are omitted
 */
export function buildHref(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '');
  const search = new URLSearchParams(given).toString();
  return `${consolePath}${path}${search && `?${search}`}`;
}

/** Returns the query parameters with these names that have a value. */
export const pickQuery = <Name extends string>(query: Readonly<Record<string, string | undefined>>, names: readonly Name[]) =>
  Object.fromEntries(names.flatMap((name) => (query[name] ? [[name, query[name]]] : []))) as { readonly [Each in Name]?: string };
