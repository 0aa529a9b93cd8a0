import { type FieldError, isRefused } from '../../../contract/outcome.ts';
import { checkQuery } from '../../../http/gates/query.ts';
import { type Case, queryOf } from '../case.ts';
import type { SentRequest } from '../trial.ts';
import type { Change } from './change.ts';
import { joined, withQuery } from './edit.ts';
import { valuesFor } from './other-values.ts';
import { renames } from './renames.ts';

/** What is missing where the problem lies in no single parameter. */
const MISSING: Readonly<Record<string, readonly string[]>> = {
  'assignments.list.filter-required': ['accountId'],
  'assignments.list.value-needs-type': ['targetType'],
  'assignments.list.experience-needs-account': ['accountId'],
  'assignments.list.type-alone': ['accountId'],
  'connections.list.selector-required': ['accountId'],
};

/** What is of use beside another parameter only: without it less may have to be changed. */
const LEFT_OUT: readonly (readonly string[])[] = [['targetValue'], ['experienceId'], ['targetValue', 'experienceId']];

/** As often as other values of the same parameters are tried. */
const ROUNDS = 3;
/** A query is judged as often as this while it is mended: no query has more that comes to light one behind the other. */
const MOST_JUDGEMENTS = 6;

/** Why a query is refused. */
interface Faults {
  readonly id: string | undefined;
  readonly errors: readonly FieldError[];
}

/** Queries in which everything is right that this answer, and those behind it, would find fault with: those with the fewest changes first. */
export function otherQueries(of: Case, errors: readonly FieldError[]): Change[] {
  const { request, id } = of;
  const renamed = renames(of).map((change) => {
    const after = changed(request, change);
    const values = mended(of, after, 0, faultsOf(of, after));
    const places = Object.keys(values).length;
    return { change: places === 0 ? change : joined(request, change, withQuery(after, values)), places: places + 1 };
  });
  const rounds = Array.from({ length: ROUNDS }, (_, round) => withPlaces(request, mended(of, request, round, { id, errors })));
  return [...renamed, ...rounds, ...shorter(of, rounds[0]!.places)].toSorted((a, b) => a.places - b.places).map(({ change }) => change);
}

/** Queries without what would need more than this many changes to stay. */
function shorter(of: Case, most: number) {
  const { request } = of;
  const query = queryOf(request.path);
  return LEFT_OUT.filter((names) => names.every((name) => query.has(name)))
    .map((names) => {
      const without = Object.fromEntries(names.map((name) => [name, undefined]));
      const after = changed(request, withQuery(request, without));
      return withPlaces(request, { ...without, ...mended(of, after, 0, faultsOf(of, after)) });
    })
    .filter(({ places }) => places < most);
}

type Edits = Readonly<Record<string, string | undefined>>;

const changed = (request: SentRequest, change: Change): SentRequest => ({ ...request, ...change.request });
const withPlaces = (request: SentRequest, edits: Edits) => ({ change: withQuery(request, edits), places: Object.keys(edits).length });

/**
 * Values for all parameters that are wrong or missing. A problem names one rule, that of the first of its errors, and what one value brings to light is
 * told with the next answer only: so the query is judged again until nothing is wrong.
 */
function mended(of: Case, request: SentRequest, round: number, first: Faults | undefined): Edits {
  const given = Object.fromEntries(queryOf(request.path));
  const chosen: Record<string, string | undefined> = {};
  let faults = first;
  for (let times = 0; faults && times < MOST_JUDGEMENTS; times++) {
    for (const name of namesIn(faults)) {
      const values = valuesFor(of, name, { ...given, ...chosen, [name]: given[name] });
      // None at all is no reason to leave it out.
      if (values.length > 0) chosen[name] = values[Math.min(round, values.length - 1)];
    }
    faults = faultsOf(of, changed(request, withQuery(request, chosen)));
  }
  return chosen;
}

function namesIn({ id, errors }: Faults): string[] {
  const named = errors.filter(({ pointer }) => pointer.length > 1).map(({ pointer }) => pointer.slice(1));
  return [...new Set([...((id !== undefined && MISSING[id]) || []), ...named])];
}

/** What the service itself would find fault with in a query. Parameters that are not known, or given twice, are left to their own changes. */
function faultsOf({ operationId, decisions }: Case, { path }: SentRequest): Faults | undefined {
  if (operationId === undefined) return undefined;
  const judged = checkQuery(operationId, String(queryOf(path)), decisions);
  if (!isRefused(judged)) return undefined;
  return { id: 'refused' in judged ? judged.rule : judged.decided, errors: judged.errors ?? [] };
}
