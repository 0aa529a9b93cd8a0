import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { schemas } from './generated/schemas.ts';

/** What a validation found: the keyword that failed, where, and the rule (or open point) that the contract puts on it. */
export interface Finding {
  /** A JSON pointer into what was validated. */
  readonly pointer: string;
  readonly keyword: string;
  readonly message: string;
  readonly rule: string | undefined;
}

export type Validate = (value: unknown) => readonly Finding[];

// The schemas are generated, and linted where they are written: judging them by the schema of schemas would cost a third of the start.
const ajv = new Ajv2020({
  allErrors: true,
  verbose: true,
  ownProperties: true,
  strict: false,
  validateFormats: true,
  validateSchema: false,
});
addFormats.default(ajv);
// The contract's own words are annotations to ajv; `x-rule` and `x-message` are read from the failing schema.
for (const collection of Object.values(schemas)) ajv.addSchema(collection as object);

const compiled = new Map<string, Validate>();

/** The validator of a schema of the contract, compiled when first asked for. @param reference as in `schemaReferences`. */
export function validator(reference: string): Validate {
  let validate = compiled.get(reference);
  if (!validate) {
    const check = schemaAt(reference);
    validate = (value) => (check(value) ? [] : findings(check));
    compiled.set(reference, validate);
  }
  return validate;
}

/** What ajv itself makes of a schema of the contract, for those who word its findings in their own way. */
export function schemaAt(reference: string): ValidateFunction {
  const check = ajv.getSchema(reference);
  if (!check) throw new Error(`the contract has no schema at ${reference}`);
  return check;
}

type Annotation = string | Readonly<Record<string, string>> | undefined;
interface Annotated {
  readonly 'x-rule'?: Annotation;
  /** What would be right, behind the name of the value. */
  readonly 'x-message'?: Annotation;
  readonly properties?: Readonly<Record<string, Annotated>>;
}

function findings(check: ValidateFunction): Finding[] {
  const all = (check.errors ?? [])
    // What an `if` leads to is reported by the keywords inside.
    .filter((error) => error.keyword !== 'if')
    .map((error) => finding(error, check.schema as Annotated));
  // Alternatives of one keyword fail one by one, too: only what carries a rule says what is wrong, and once.
  const telling = all.some(({ rule }) => rule) ? all.filter(({ rule }) => rule) : all;
  const same = (a: Finding, b: Finding) => a.pointer === b.pointer && a.message === b.message && a.rule === b.rule;
  return telling.filter((found, index) => telling.findIndex((other) => same(other, found)) === index);
}

function finding(error: ErrorObject, root: Annotated): Finding {
  const own = error.parentSchema as Annotated | undefined;
  // A shared schema has no rule of its own; the member that uses it has.
  const member = root.properties?.[error.instancePath.slice(1)];
  const annotated = (name: 'x-rule' | 'x-message') => textFor(own?.[name], error.keyword) ?? textFor(member?.[name], error.keyword);
  return {
    pointer: pointerOf(error),
    keyword: error.keyword,
    message: annotated('x-message') ?? messageOf(error),
    rule: annotated('x-rule'),
  };
}

function textFor(annotation: Annotation, keyword: string): string | undefined {
  return typeof annotation === 'string' ? annotation : annotation?.[keyword];
}

/** The member that is missing or too many, not the object around it. */
function pointerOf({ instancePath, keyword, params }: ErrorObject): string {
  const missing: string | undefined = keyword === 'required' ? params.missingProperty : undefined;
  const member: string | undefined = missing ?? params.additionalProperty ?? params.unevaluatedProperty;
  return member === undefined ? instancePath : `${instancePath}/${member}`;
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'a JSON object',
  array: 'a list',
};

const MESSAGES: Readonly<Record<string, (error: ErrorObject) => string>> = {
  enum: ({ params }) => `must be one of ${(params.allowedValues as unknown[]).join(', ')}`,
  type: ({ params }) => `must be ${KINDS[params.type] ?? params.type}`,
  required: () => 'is missing',
  additionalProperties: (error) => unknownMember(error),
  unevaluatedProperties: (error) => unknownMember(error),
  minimum: ({ params }) => `must be at least ${params.limit}`,
  maximum: ({ params }) => `must be at most ${params.limit}`,
  minItems: ({ params }) => `must have at least ${params.limit === 1 ? 'one item' : `${params.limit} items`}`,
  uniqueItems: () => 'must not have the same item twice',
};

function messageOf(error: ErrorObject): string {
  return MESSAGES[error.keyword]?.(error) ?? error.message ?? `breaks ${error.keyword}`;
}

function unknownMember({ parentSchema }: ErrorObject): string {
  const known = Object.keys((parentSchema as Annotated | undefined)?.properties ?? {});
  return known.length === 0 ? 'is not a member here' : `is not a member here; the members are ${known.join(', ')}`;
}
