import type { ErrorObject } from 'ajv';

/** A schema's `x-message` or `x-rule`: one string, or a string for each keyword. */
type Annotation = string | Readonly<Record<string, string>> | undefined;

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'a JSON object',
  array: 'a list',
  null: 'null',
};

const formatTypeName = (type: string): string => TYPE_NAMES[type] ?? type;

const KEYWORD_MESSAGES: Readonly<Record<string, (error: ErrorObject) => string>> = {
  enum: ({ params }) => `must be one of ${(params.allowedValues as unknown[]).join(', ')}`,
  type: ({ params }) => `must be ${formatTypeName(params.type)}`,
  required: () => 'is missing',
  additionalProperties: (error) => describeUnknownMember(error),
  unevaluatedProperties: (error) => describeUnknownMember(error),
  minLength: ({ params }) => (params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`),
  maxLength: ({ params }) => `must have at most ${params.limit} characters`,
  minimum: ({ params }) => `must be at least ${params.limit}`,
  maximum: ({ params }) => `must be at most ${params.limit}`,
  minItems: ({ params }) => `must have at least ${params.limit === 1 ? 'one item' : `${params.limit} items`}`,
  uniqueItems: ({ params }) => `must not contain the same item twice: items ${params.j + 1} and ${params.i + 1} are equal`,
};

export function getMessage(error: ErrorObject): string {
  const annotation: Annotation = error.parentSchema?.['x-message'];
  return (
    getAnnotatedMessage(annotation, error.keyword) ??
    KEYWORD_MESSAGES[error.keyword]?.(error) ??
    error.message ??
    `does not match ${error.keyword}`
  );
}

export function getAnnotatedMessage(annotation: Annotation, keyword: string): string | undefined {
  return typeof annotation === 'string' ? annotation : annotation?.[keyword];
}

function describeUnknownMember({ parentSchema }: ErrorObject): string {
  const known = Object.keys(parentSchema?.properties ?? {});
  return known.length === 0 ? 'is not a known name' : `is not a known name; the known names are ${known.join(', ')}`;
}
