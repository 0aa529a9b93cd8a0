import type { ErrorObject } from 'ajv';

/** The value of `x-message` or `x-rule` in a schema. A string applies to all keywords. An object has a string for each keyword. */
type Annotation = string | Readonly<Record<string, string>> | undefined;

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'a JSON object',
  array: 'a list',
  null: 'null',
};

export const typeName = (type: string): string => TYPES[type] ?? type;

const MESSAGES: Readonly<Record<string, (error: ErrorObject) => string>> = {
  enum: ({ params }) => `must be one of ${(params.allowedValues as unknown[]).join(', ')}`,
  type: ({ params }) => `must be ${typeName(params.type)}`,
  required: () => 'is missing',
  additionalProperties: (error) => unknownMember(error),
  unevaluatedProperties: (error) => unknownMember(error),
  minLength: ({ params }) => (params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`),
  maxLength: ({ params }) => `must have at most ${params.limit} characters`,
  minimum: ({ params }) => `must be at least ${params.limit}`,
  maximum: ({ params }) => `must be at most ${params.limit}`,
  minItems: ({ params }) => `must have at least ${params.limit === 1 ? 'one item' : `${params.limit} items`}`,
  uniqueItems: ({ params }) => `must not have the same item twice, as items ${params.j + 1} and ${params.i + 1}`,
};

/**
 * Returns the message to append to the name of a value, such as "must be a string". The message is the `x-message` of the schema, or a
 * message for the failed keyword.
 */
export function messageOf(error: ErrorObject): string {
  const annotation: Annotation = error.parentSchema?.['x-message'];
  return messageFor(annotation, error.keyword) ?? MESSAGES[error.keyword]?.(error) ?? error.message ?? `does not match ${error.keyword}`;
}

export function messageFor(annotation: Annotation, keyword: string): string | undefined {
  return typeof annotation === 'string' ? annotation : annotation?.[keyword];
}

function unknownMember({ parentSchema }: ErrorObject): string {
  const known = Object.keys(parentSchema?.properties ?? {});
  return known.length === 0 ? 'is not a member here' : `is not a member here; the members are ${known.join(', ')}`;
}
