import { nearestOf } from '../../../contract/did-you-mean.ts';
import { operations } from '../../../contract/generated/operations.ts';
import type { Case } from '../case.ts';
import type { Change } from './change.ts';

/** Another path: the nearest one that there is, with the ids of the one that was asked for. */
export function nearestPath({ request }: Case): Change[] {
  const [path = '', search] = request.path.split('?', 2) as [string, string | undefined];
  const method = request.method.toLowerCase();
  const candidates = Object.values(operations)
    .filter((operation) => operation.method === method)
    .flatMap(({ paths }) => paths)
    .map((form) => filled(form, path))
    .filter((form) => form !== undefined);
  const found = [...endingAlike(path, candidates), nearestOf(path, candidates)].find((one) => one !== undefined);
  return found === undefined
    ? []
    : [{ text: `Ask for the path ${found}.`, request: { path: search === undefined ? found : `${found}?${search}` } }];
}

/** The users have one path, without the prefix of the others: theirs is easily given one, and that of the others left out. */
function endingAlike(path: string, candidates: readonly string[]): string[] {
  return candidates.filter((one) => one.endsWith(path) || path.endsWith(one)).toSorted((a, b) => b.length - a.length);
}

/** The form with the last ids of the path put in. */
function filled(form: string, path: string): string | undefined {
  const segments = path.split('/').filter(Boolean);
  const names = form.split('/').filter(Boolean);
  const at = names.findIndex((name) => name.startsWith('{'));
  if (at < 0) return form;
  const id = segments[segments.length - (names.length - at)];
  return id === undefined ? undefined : form.replace(/\{\w+\}/, id);
}

/** A method that the path has; reading is the least that can be done. */
export function otherMethod({ request }: Case): Change[] {
  const path = request.path.split('?', 1)[0] ?? '';
  const methods = Object.values(operations)
    .filter(({ paths }) => paths.some((form) => new RegExp(`^${form.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path)))
    .map(({ method }) => method.toUpperCase())
    .toSorted((a, b) => Number(b === 'GET') - Number(a === 'GET'));
  return [...new Set(methods)].map((method) => ({ text: `Send it with the method ${method}.`, request: { method } }));
}
