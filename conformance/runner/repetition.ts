const SEPARATOR = ' ⟂ ';

/** Splits the title of a repeated check into the title of the check and the name of the repetition. */
export function partsOf(title: string): { readonly title: string; readonly repetition?: string } {
  const [first = '', repetition] = title.split(SEPARATOR);
  return { title: first, ...(repetition !== undefined && { repetition }) };
}

export function titleFor(title: string, repetition: string): string {
  return `${title}${SEPARATOR}${repetition}`;
}
