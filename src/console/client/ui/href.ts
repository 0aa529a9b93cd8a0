import { consolePath } from '../kit/control.ts';

/** The address of a page of the console. @param path such as `/requests` @param query members that are undefined or empty are left out */
export function hrefOf(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '');
  const search = new URLSearchParams(given).toString();
  return `${consolePath}${path}${search && `?${search}`}`;
}
