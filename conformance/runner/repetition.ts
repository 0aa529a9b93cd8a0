import type { PathForm } from '../../src/contract/generated/operations.ts';
import { FORMS } from '../../src/report/scope.ts';

const SEPARATOR = ' ⟂ ';

/** Splits the title of a repeated check into the title of the check and the name of the repetition. */
export function partsOf(title: string): { readonly title: string; readonly repetition?: string } {
  const [first = '', repetition] = title.split(SEPARATOR);
  return { title: first, ...(repetition !== undefined && { repetition }) };
}

export function titleFor(title: string, repetition: string): string {
  return `${title}${SEPARATOR}${repetition}`;
}

/** Returns the path form of a check. The check is in a group that has the name of the path form. */
export function formIn(titlePath: readonly string[]): PathForm {
  return FORMS.find((form) => titlePath.includes(form)) ?? 'prefixed';
}
