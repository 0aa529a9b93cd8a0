import type { PathForm } from '../../src/contract/generated/operations.ts';
import { PATH_FORMS } from '../../src/report/scope.ts';

/** The beginning of the title of a Playwright test that runs several checks at the same time. It has no verdict. */
export const GROUP_TITLE = 'several checks: ';
const TITLE_SEPARATOR = ' ⟂ ';

export function splitTitle(title: string): { readonly title: string; readonly repetition?: string } {
  const [first = '', repetition] = title.split(TITLE_SEPARATOR);
  return { title: first, ...(repetition !== undefined && { repetition }) };
}

export function joinTitle(title: string, repetition: string): string {
  return `${title}${TITLE_SEPARATOR}${repetition}`;
}

export function readPathForm(titlePath: readonly string[]): PathForm {
  return PATH_FORMS.find((form) => titlePath.includes(form)) ?? 'prefixed';
}
