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
// The contract's own words are annotations to ajv; `x-rule` is read from the failing schema.
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

type RuleAnnotation = string | Readonly<Record<string, string>> | undefined;
interface Annotated {
  readonly 'x-rule'?: RuleAnnotation;
  readonly properties?: Readonly<Record<string, Annotated>>;
}

function findings(check: ValidateFunction): Finding[] {
  const all = (check.errors ?? [])
    // What an `if` leads to is reported by the keywords inside.
    .filter((error) => error.keyword !== 'if')
    .map((error) => finding(error, check.schema as Annotated));
  // Alternatives of one keyword fail one by one, too: only what carries a rule says what is wrong.
  return all.some(({ rule }) => rule) ? all.filter(({ rule }) => rule) : all;
}

function finding(error: ErrorObject, root: Annotated): Finding {
  const own = (error.parentSchema as Annotated | undefined)?.['x-rule'];
  // A shared schema has no rule of its own; the member that uses it has.
  const member = root.properties?.[error.instancePath.slice(1)]?.['x-rule'];
  return {
    pointer: error.keyword === 'required' ? `${error.instancePath}/${error.params.missingProperty}` : error.instancePath,
    keyword: error.keyword,
    message: messageOf(error),
    rule: ruleFor(own, error.keyword) ?? ruleFor(member, error.keyword),
  };
}

function ruleFor(annotation: RuleAnnotation, keyword: string): string | undefined {
  return typeof annotation === 'string' ? annotation : annotation?.[keyword];
}

function messageOf(error: ErrorObject): string {
  if (error.keyword === 'enum') return `must be one of ${(error.params.allowedValues as unknown[]).join(', ')}`;
  if (error.keyword === 'required') return 'is missing';
  return error.message ?? `breaks ${error.keyword}`;
}
