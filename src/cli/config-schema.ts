import type { Option } from 'commander';
import { SECTIONS, type Setting } from './config-options.ts';

type Schema = Readonly<Record<string, unknown>>;
/** The schema of an object. Without properties, it permits all members. */
interface ObjectSchema {
  readonly type: 'object';
  properties?: Record<string, ObjectSchema | Schema>;
  additionalProperties?: false;
}

/**
 * Returns the JSON Schema of the configuration file.
 * @param settings the options to describe. Sections of other commands are not restricted.
 */
export function configSchema(settings: readonly Setting[]): ObjectSchema {
  const root: ObjectSchema = { type: 'object' };
  add(root, ['url'], { type: 'string' });
  for (const section of SECTIONS) add(root, section.split(' '), { type: 'object' });
  for (const { path, option } of settings) add(root, path, { description: option.description, ...typeOf(option) });
  return root;
}

function add(object: ObjectSchema, [name = '', ...rest]: readonly string[], schema: ObjectSchema | Schema): void {
  const { properties = {} } = object;
  Object.assign(object, { additionalProperties: false, properties });
  if (rest.length > 0) {
    properties[name] ??= { type: 'object' };
    add(properties[name] as ObjectSchema, rest, schema);
  } else properties[name] = schema;
}

function typeOf(option: Option): Schema {
  const { argChoices, parseArg, variadic, optional } = option;
  if (option.isBoolean() || option.negate) return { type: 'boolean' };
  if (variadic) return { type: optional ? ['boolean', 'array'] : 'array', items: argChoices ? { enum: argChoices } : { type: 'string' } };
  if (argChoices) return { enum: argChoices };
  return { type: parseArg === undefined ? 'string' : ['string', 'number'] };
}
