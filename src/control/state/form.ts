import { schemas } from '../../contract/generated/schemas.ts';
import type { FieldError } from '../../contract/outcome.ts';
import { schemaAt } from '../../contract/validators.ts';
import type { WorldProblem } from '../../world/problem.ts';
import { schemaProblems } from '../../world/schema-problems.ts';
import { type Collection, SINGULAR } from '../../world/world.ts';
import { refuse, refuseInvalid } from './refusal.ts';

/** An entity as it was sent: nothing is known of it yet but that it is an object. */
export type Members = Readonly<Record<string, unknown>>;

const SCHEMAS = {
  providers: 'Provider',
  experiences: 'Experience',
  accounts: 'Account',
  telephoneNumbers: 'TelephoneNumber',
  users: 'User',
  principals: 'Principal',
  clients: 'Client',
  assignments: 'Assignment',
  connections: 'Connection',
  subscriptions: 'Subscription',
} as const satisfies Record<Collection, string>;

/** Refuses what has not the form that the schema of worlds gives an entity. */
export function checkForm(collection: Collection, members: Members): void {
  const problems = problemsOf(SCHEMAS[collection], members);
  if (problems.length > 0) refuseInvalid(problems.map(fieldError));
}

function problemsOf(schema: string, value: unknown): WorldProblem[] {
  // Not the findings of the contract's validators: those do not name an unknown member, and here its name is the point.
  const validate = schemaAt(`control#/$defs/${schema}`);
  return validate(value) ? [] : schemaProblems(validate.errors ?? []);
}

export function fieldError({ pointer, reason }: WorldProblem): FieldError {
  return { pointer, message: reason };
}

/** The members that an entity of the collection may have. */
export function membersOf(collection: Collection): readonly string[] {
  return Object.keys((schemas.control.$defs[SCHEMAS[collection]] as { properties: object }).properties);
}

export function objectOf(body: unknown): Members {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Members;
  return refuse('invalid', 'The body has to be an entity: a JSON object.');
}

const NUMBER = /^\+[1-9]\d{1,14}$/;

/** Refuses a name that an entity of the collection cannot have. @param pointer where the name stands; '' for the path. */
export function checkAlias(collection: Collection, alias: unknown, pointer: string): asserts alias is string {
  if (collection === 'telephoneNumbers') {
    if (typeof alias === 'string' && NUMBER.test(alias)) return;
    refuseInvalid([{ pointer, message: `${JSON.stringify(alias)} is no telephone number. One is written as in +12065550100.` }]);
  }
  const problems = problemsOf('Alias', alias);
  if (problems.length > 0) refuseInvalid(problems.map((problem) => ({ ...fieldError(problem), pointer })));
  if (!(alias as string).isWellFormed()) {
    refuseInvalid([{ pointer, message: `The alias of a ${SINGULAR[collection]} is text, and half of a surrogate pair is no character.` }]);
  }
}
