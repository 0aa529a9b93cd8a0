import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Decisions } from './generated/decisions.ts';
import { schemas } from './generated/schemas.ts';
import { getAnnotatedMessage, getMessage } from './schema-messages.ts';

/** `rule` is the id of the rule or decision for this error. */
export interface SchemaViolation {
  readonly pointer: string;
  readonly keyword: string;
  readonly message: string;
  readonly rule: string | undefined;
}

export type Validate = (value: unknown) => readonly SchemaViolation[];

// A linter validates the schemas, because validating them here would take a third of the start-up time.
function createAjv(collections: readonly object[]): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    verbose: true,
    ownProperties: true,
    strict: false,
    validateFormats: true,
    validateSchema: false,
    code: { process: appendErrorsInPlace },
  });
  addFormats.default(ajv);
  for (const collection of collections) ajv.addSchema(collection);
  return ajv;
}

/** Ajv's code would copy all earlier errors for each value of a large object that has an error. */
function appendErrorsInPlace(code: string): string {
  return code.replaceAll(/vErrors\.concat\((\w+\.errors)\)/g, '$1.reduce((all, error) => (all.push(error), all), vErrors)');
}

type LetterCase = Decisions['http.uuid-letter-case'];
const ajv = createAjv(Object.values(schemas));
const ajvByUuidCapitals: { [uuidCapitals in LetterCase]?: Ajv2020 } = { accepted: ajv };
const compiled = new Map<string, Validate>();

/**
 * @param reference a value in `schemaReferences`
 * @param uuidCapitals whether a UUID may have capital letters
 */
export function getValidator(reference: string, uuidCapitals: LetterCase = 'accepted'): Validate {
  const key = `${uuidCapitals} ${reference}`;
  let validate = compiled.get(key);
  if (!validate) {
    const check = getAjvSchema(reference, uuidCapitals);
    validate = (value) => (check(value) ? [] : toViolations(check));
    compiled.set(key, validate);
  }
  return validate;
}

/** Deeper values could overflow the stack in JSON.stringify. */
export const MAX_DEPTH = 100;

export function isNestedDeeper(value: unknown, levels = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isNestedDeeper(member, levels - 1));
}

export function getAjvSchema<T = unknown>(reference: string, uuidCapitals: LetterCase = 'accepted'): ValidateFunction<T> {
  ajvByUuidCapitals[uuidCapitals] ??= createAjv([createLowerCaseSchemas()]);
  const check = ajvByUuidCapitals[uuidCapitals].getSchema<T>(reference);
  if (!check) throw new Error(`The contract has no schema at ${reference}.`);
  return check;
}

/** The schema may refer to contract schemas. */
export function compileSchema<T>(schema: object): ValidateFunction<T> {
  return ajv.compile<T>(schema);
}

function createLowerCaseSchemas(): object {
  const { $id, $defs } = schemas.openapi;
  const { pattern, 'x-message': message } = $defs.Uuid as { readonly pattern: string; readonly 'x-message': string };
  const lowerCase = { pattern: pattern.replaceAll('A-F', ''), 'x-message': message.replace('a UUID', 'a UUID in lower case') };
  return { $id, $defs: { ...$defs, Uuid: { ...$defs.Uuid, ...lowerCase } } };
}

type Annotation = string | Readonly<Record<string, string>> | undefined;
interface Annotated {
  readonly 'x-rule'?: Annotation;
  /** The description of a valid value, to append to the value's name. */
  readonly 'x-message'?: Annotation;
  readonly properties?: Readonly<Record<string, Annotated>>;
}

function toViolations(check: ValidateFunction): SchemaViolation[] {
  const all = (check.errors ?? [])
    // The error for the keyword `if` only repeats the error in `then` or `else`.
    .filter((error) => error.keyword !== 'if')
    .map((error) => toViolation(error, check.schema as Annotated));
  // A failed `anyOf` reports an error for every alternative. If some errors have an `x-rule`, only they are relevant.
  const relevant = all.some(({ rule }) => rule) ? all.filter(({ rule }) => rule) : all;
  const seen = new Set<string>();
  return relevant.filter(({ pointer, message, rule }) => seen.size < seen.add(JSON.stringify([pointer, message, rule])).size);
}

function toViolation(error: ErrorObject, root: Annotated): SchemaViolation {
  const own = error.parentSchema as Annotated | undefined;
  // A shared schema such as Uuid has no rule, because the rule is at the member that uses the schema.
  const member = root.properties?.[error.instancePath.slice(1)];
  const findAnnotation = (name: 'x-rule' | 'x-message') =>
    getAnnotatedMessage(own?.[name], error.keyword) ?? getAnnotatedMessage(member?.[name], error.keyword);
  return {
    pointer: getPointer(error),
    keyword: error.keyword,
    message: findAnnotation('x-message') ?? getMessage(error),
    rule: findAnnotation('x-rule'),
  };
}

/** Returns the pointer to the missing or unknown member, because ajv points only to the surrounding object. */
function getPointer({ instancePath, keyword, params }: ErrorObject): string {
  const missing: string | undefined = keyword === 'required' ? params.missingProperty : undefined;
  const member: string | undefined = missing ?? params.additionalProperty ?? params.unevaluatedProperty;
  return member === undefined ? instancePath : `${instancePath}/${member}`;
}
