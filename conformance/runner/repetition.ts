import type { PathForm } from '../../src/contract/generated/operations.ts';
import { PATH_FORMS } from '../../src/report/scope.ts';

const TITLE_SEPARATOR = ' ⟂ ';

/** Splits the title of a repeated check into the title of the check and the name of the repetition. */
export function splitTitle(title: string): { readonly title: string; readonly repetition?: string } {
  const [first = '', repetition] = title.split(TITLE_SEPARATOR);
  return { title: first, ...(repetition !== undefined && { repetition }) };
}

export function joinTitle(title: string, repetition: string): string {
  return `${title}${TITLE_SEPARATOR}${repetition}`;
}

/** Returns the path form of a check. The check is in a group that has the name of the path form. */
export function readPathForm(titlePath: readonly string[]): PathForm {
  return PATH_FORMS.find((form) => titlePath.includes(form)) ?? 'prefixed';
}
