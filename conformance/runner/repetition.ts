const SEPARATOR = ' ⟂ ';

/** The title of a check and, if the check is repeated, the name of this repetition. */
export function partsOf(title: string): { readonly title: string; readonly repetition?: string } {
  const [first = '', repetition] = title.split(SEPARATOR);
  return { title: first, ...(repetition !== undefined && { repetition }) };
}

/** The title of a repetition of a check. */
export function titleFor(title: string, repetition: string): string {
  return `${title}${SEPARATOR}${repetition}`;
}
