import { nearestOf } from '../../../contract/did-you-mean.ts';
import { operations } from '../../../contract/generated/operations.ts';
import { bodyMembers, type Case, membersOf, queryOf } from '../case.ts';
import type { Change } from './change.ts';

/** The right names for parameters, or members of the body, that the operation does not know: those that were mistyped. */
export function renames({ request, operationId }: Case): Change[] {
  if (operationId === undefined) return [];
  const query = [...queryOf(request.path)];
  const inQuery = mistyped(query, operations[operationId].queryParameters).map(({ text, pairs }) => ({
    text,
    request: { path: `${request.path.split('?', 1)[0]}?${String(new URLSearchParams(pairs))}` },
  }));
  const members = Object.entries(membersOf(request.body) ?? {});
  const inBody = mistyped(members, bodyMembers(operationId)).map(({ text, pairs }) => ({
    text,
    request: { body: JSON.stringify(Object.fromEntries(pairs)) },
  }));
  return [...inQuery, ...inBody];
}

type Pair<Value> = readonly [name: string, value: Value];

/** All pairs with one name put right, for each that is near to one that is known and was not given. */
function mistyped<Value>(given: readonly Pair<Value>[], known: readonly string[]) {
  const missing = known.filter((name) => !given.some(([one]) => one === name));
  return given.flatMap(([name]) => {
    const meant = known.includes(name) ? undefined : nearestOf(name, missing);
    if (meant === undefined) return [];
    const pairs = given.map(([one, value]): [string, Value] => [one === name ? meant : one, value]);
    return [{ text: `Rename ${name} to ${meant}.`, pairs }];
  });
}
