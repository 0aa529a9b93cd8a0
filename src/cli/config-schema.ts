import type { Option } from 'commander';
import { CONFIG_SECTIONS, type ConfigOption } from './config-options.ts';

type Schema = Readonly<Record<string, unknown>>;
/** Without `properties`, the schema permits all members. */
interface ObjectSchema {
  readonly type: 'object';
  properties?: Record<string, ObjectSchema | Schema>;
  additionalProperties?: false;
}

export function createConfigSchema(settings: readonly ConfigOption[]): ObjectSchema {
  const root: ObjectSchema = { type: 'object' };
  addSchema(root, ['url'], { type: 'string' });
  for (const section of CONFIG_SECTIONS) addSchema(root, section.split(' '), { type: 'object' });
  for (const { path, option } of settings) addSchema(root, path, { description: option.description, ...getOptionSchema(option) });
  return root;
}

function addSchema(object: ObjectSchema, [name = '', ...rest]: readonly string[], schema: ObjectSchema | Schema): void {
  const { properties = {} } = object;
  Object.assign(object, { additionalProperties: false, properties });
  if (rest.length > 0) {
    properties[name] ??= { type: 'object' };
    addSchema(properties[name] as ObjectSchema, rest, schema);
  } else properties[name] = schema;
}

function getOptionSchema(option: Option): Schema {
  const { argChoices, parseArg, variadic, optional } = option;
  if (option.isBoolean() || option.negate) return { type: 'boolean' };
  if (variadic) return { type: optional ? ['boolean', 'array'] : 'array', items: argChoices ? { enum: argChoices } : { type: 'string' } };
  if (argChoices) return { enum: argChoices };
  return { type: parseArg === undefined ? 'string' : ['string', 'number'] };
}
