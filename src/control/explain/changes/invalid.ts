import type { FieldError } from '../../../contract/outcome.ts';
import { type Case, isSentAsJson, membersOf, queryOf } from '../case.ts';
import type { Change } from './change.ts';
import { withMembers, withQuery } from './edit.ts';
import { otherQueries } from './other-queries.ts';
import { type Values, valuesFor } from './other-values.ts';
import { renames } from './renames.ts';
import { wholeBody } from './whole-body.ts';

/** As often as other values of the same members are tried. */
const ROUNDS = 3;

/** Values for the parameters and members that a problem finds fault with. */
export function otherValues(of: Case, errors: readonly FieldError[]): Change[] {
  // What reads has no body that counts, even if one was sent.
  const changes = of.request.method === 'GET' ? otherQueries(of, errors) : otherMembers(of, errors);
  return changes.filter(({ text }, index) => text !== '' && changes.findIndex((other) => other.text === text) === index);
}

function otherMembers(of: Case, errors: readonly FieldError[]): Change[] {
  const { request } = of;
  const names = [...new Set(errors.filter(({ pointer }) => pointer.length > 1).map(({ pointer }) => pointer.slice(1)))];
  const given: Values = membersOf(request.body) ?? {};
  const changes: Change[] = renames(of);
  for (let round = 0; round < ROUNDS && names.length > 0; round++) {
    const chosen: Record<string, string | undefined> = {};
    for (const name of names) {
      const values = valuesFor(of, name, { ...given, ...chosen });
      // None at all is no reason to leave it out.
      if (values.length > 0) chosen[name] = values[Math.min(round, values.length - 1)];
    }
    changes.push(withMembers(request, chosen));
  }
  const whole = wholeBody(of, given);
  return whole ? [...changes, asJson(withMembers(request, whole))] : changes;
}

/** Bodies that could not be read: named for what they are, mended, or others altogether. */
export function readableBodies(of: Case): Change[] {
  const { request } = of;
  const changes: Change[] = [];
  if (of.id === 'http.unsupported-media-type' || !isSentAsJson(request.headers))
    changes.push(asJson({ text: 'Send the header Content-Type: application/json.', request: {} }));
  const mended = request.body?.replaceAll(/,(\s*[}\]])/g, '$1');
  if (mended !== undefined && mended !== request.body && membersOf(mended)) {
    changes.push(asJson({ text: 'Leave out the comma before the bracket that closes.', request: { body: mended } }));
  }
  // A JSON object stays as it is: what is wrong with it, if anything, comes to light when it can be read.
  const whole = membersOf(request.body) ? undefined : wholeBody(of, {});
  if (whole) changes.push(asJson({ text: `Send a JSON object: ${JSON.stringify(whole)}`, request: { body: JSON.stringify(whole) } }));
  return changes;
}

function asJson({ text, request }: Change): Change {
  return { text, request: { ...request, headers: { 'content-type': 'application/json' } } };
}

/** A parameter that was given more than once, once; one that is not known, not at all. */
export function plainQuery(of: Case, [error]: readonly FieldError[], known: boolean): Change[] {
  const name = error?.pointer.slice(1);
  if (name === undefined) return [];
  const { request } = of;
  if (!known) return [...renames(of), withQuery(request, { [name]: undefined })];
  const values = new Set(queryOf(request.path).getAll(name));
  return [...values].map((value) => ({ ...withQuery(request, { [name]: value }), text: `Send ${name} once: ${value}.` }));
}
