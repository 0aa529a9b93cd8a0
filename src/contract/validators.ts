import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Decisions } from './generated/decisions.ts';
import { schemas } from './generated/schemas.ts';
import { messageFor, messageOf } from './schema-messages.ts';

/** An error that a validation found. `rule` is the rule, or the decision, that the contract names for this error. */
export interface Finding {
  /** A JSON pointer into the validated value. */
  readonly pointer: string;
  readonly keyword: string;
  readonly message: string;
  readonly rule: string | undefined;
}

export type Validate = (value: unknown) => readonly Finding[];

// The schemas are not validated here, because they are linted where they are written, and validating them takes a third of the start. ajv ignores the
// keywords `x-rule` and `x-message`; `verbose` makes it return the failing schema, from which `finding` reads them.
function createAjv(collections: readonly object[]): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    ownProperties: true,
    strict: false,
    validateFormats: true,
    validateSchema: false,
  });
  addFormats.default(ajv);
  for (const collection of collections) ajv.addSchema(collection);
  return ajv;
}

type LetterCase = Decisions['http.uuid-letter-case'];
const ajv = createAjv(Object.values(schemas));
const instances: { [capitals in LetterCase]?: Ajv2020 } = { accepted: ajv };
const compiled = new Map<string, Validate>();

/**
 * The validator of a schema of the contract. It is compiled when it is first requested.
 *
 * @param reference a value of `schemaReferences`.
 * @param capitals whether a UUID may have capital letters (decision http.uuid-letter-case).
 */
export function validator(reference: string, capitals: LetterCase = 'accepted'): Validate {
  const key = `${capitals} ${reference}`;
  let validate = compiled.get(key);
  if (!validate) {
    const check = schemaAt(reference, capitals);
    validate = (value) => (check(value) ? [] : findings(check));
    compiled.set(key, validate);
  }
  return validate;
}

/** The levels of lists and objects that a value may have. Recursive functions such as JSON.stringify run out of stack after some thousands of levels. */
export const MAX_DEPTH = 100;

/** Whether a JSON value has more levels of lists and objects than `levels`. */
export function isNestedDeeper(value: unknown, levels = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isNestedDeeper(member, levels - 1));
}

/** The ajv function of a schema of the contract, for callers that report validation errors in their own format. */
export function schemaAt<T = unknown>(reference: string, capitals: LetterCase = 'accepted'): ValidateFunction<T> {
  instances[capitals] ??= createAjv([withLowerCaseUuids()]);
  const check = instances[capitals].getSchema<T>(reference);
  if (!check) throw new Error(`The contract has no schema at ${reference}.`);
  return check;
}

/** Compiles a schema that is not part of the contract, such as that of a file. It may refer to schemas of the contract. */
export function compileSchema<T>(schema: object): ValidateFunction<T> {
  return ajv.compile<T>(schema);
}

/** The schemas of the service, changed so that they refuse UUIDs with capital letters. */
function withLowerCaseUuids(): object {
  const { $id, $defs } = schemas.openapi;
  const { pattern, 'x-message': message } = $defs.Uuid as { readonly pattern: string; readonly 'x-message': string };
  const lowerCase = { pattern: pattern.replaceAll('A-F', ''), 'x-message': message.replace('a UUID', 'a UUID in lower case') };
  return { $id, $defs: { ...$defs, Uuid: { ...$defs.Uuid, ...lowerCase } } };
}

type Annotation = string | Readonly<Record<string, string>> | undefined;
interface Annotated {
  readonly 'x-rule'?: Annotation;
  /** What a valid value would be, to append to the name of the value. */
  readonly 'x-message'?: Annotation;
  readonly properties?: Readonly<Record<string, Annotated>>;
}

function findings(check: ValidateFunction): Finding[] {
  const all = (check.errors ?? [])
    // ajv reports the keywords inside of `then` and `else`, so its additional error for the `if` says nothing new.
    .filter((error) => error.keyword !== 'if')
    .map((error) => finding(error, check.schema as Annotated));
  // ajv also reports every alternative of an `anyOf`. If an error has a rule, only errors with a rule are returned, each once.
  const relevant = all.some(({ rule }) => rule) ? all.filter(({ rule }) => rule) : all;
  const same = (a: Finding, b: Finding) => a.pointer === b.pointer && a.message === b.message && a.rule === b.rule;
  return relevant.filter((found, index) => relevant.findIndex((other) => same(other, found)) === index);
}

function finding(error: ErrorObject, root: Annotated): Finding {
  const own = error.parentSchema as Annotated | undefined;
  // A shared schema such as Uuid has no rule, so the rule of the member that uses the schema applies.
  const member = root.properties?.[error.instancePath.slice(1)];
  const annotated = (name: 'x-rule' | 'x-message') => messageFor(own?.[name], error.keyword) ?? messageFor(member?.[name], error.keyword);
  return {
    pointer: pointerOf(error),
    keyword: error.keyword,
    message: annotated('x-message') ?? messageOf(error),
    rule: annotated('x-rule'),
  };
}

/** A pointer to the missing or unknown member, where ajv has a pointer to the object around it. */
function pointerOf({ instancePath, keyword, params }: ErrorObject): string {
  const missing: string | undefined = keyword === 'required' ? params.missingProperty : undefined;
  const member: string | undefined = missing ?? params.additionalProperty ?? params.unevaluatedProperty;
  return member === undefined ? instancePath : `${instancePath}/${member}`;
}
