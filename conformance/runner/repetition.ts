const SEPARATOR = ' ⟂ ';

/** The title of a check, and what this repetition of it is for, where it is one. */
export function partsOf(title: string): { readonly title: string; readonly repetition?: string } {
  const [first = '', repetition] = title.split(SEPARATOR);
  return { title: first, ...(repetition !== undefined && { repetition }) };
}

/** The title of the repetition of a check for something. */
export function titleFor(title: string, repetition: string): string {
  return `${title}${SEPARATOR}${repetition}`;
}
