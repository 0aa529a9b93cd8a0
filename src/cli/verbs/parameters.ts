import { type Argument, InvalidArgumentError, type Option } from 'commander';
import { didYouMean } from '../../contract/did-you-mean.ts';
import type { ControlField, ControlRow, Verb } from '../../contract/generated/control-table.ts';
import type { Field } from '../../contract/generated/entity-forms.ts';
import { toKebabCase } from '../../contract/kebab-case.ts';
import { createDurationParser, createWholeNumberParser } from '../command.ts';
import { formatDuration } from '../format.ts';
import { parsePair, readTextOrFile } from '../payload.ts';
import { UsageError } from '../usage-error.ts';

/** A field of an operation as an option or an argument. */
export interface Parameter {
  /** The name on the command line, without dashes or brackets. */
  readonly name: string;
  /** The member of the options: the name in camel case. */
  readonly key: string;
  readonly field: string;
  readonly schema: ControlField;
  /** Such as `<count>`; empty for a switch. */
  readonly placeholder: string;
  /** For an argument: its syntax, such as `[name...]`. */
  readonly argument: string | undefined;
  readonly description: string;
  readonly isDuration: boolean;
  /** Whether `field` is the upper end of a range, so that another field has the same option. */
  readonly isUpperEnd: boolean;
}

type Parse = (text: string, earlier?: unknown) => unknown;

const toCamelCase = (name: string): string => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

export function listParameters({ fields }: Pick<ControlRow, 'fields'>, verb: Verb): Parameter[] {
  const parameters: Parameter[] = [];
  for (const [field, schema] of Object.entries(fields)) {
    if (verb.without?.[field] !== undefined || schema.in === 'header') continue;
    const isDuration = verb.durations?.includes(field) ?? false;
    for (const flags of [verb.rename?.[field] ?? toKebabCase(field)].flat()) {
      const [name = '', placeholder = getPlaceholder(schema, toKebabCase(field), isDuration)] = flags.split(' ');
      const argument = verb.args?.find((each) => each.replaceAll(/\W/g, '') === name);
      const hint = verb.hints?.[name] ?? verb.hints?.[field] ?? schema.description ?? '';
      parameters.push({
        ...{ name, field, schema, placeholder, argument, isDuration, key: toCamelCase(name) },
        description: describe(hint, argument?.startsWith('<') ? undefined : (verb.defaults?.[field] ?? schema.default), isDuration),
        isUpperEnd: parameters.some((each) => each.name === name),
      });
    }
  }
  return parameters;
}

function getPlaceholder({ type }: Field, name: string, isDuration: boolean): string {
  if (isDuration) return '<duration>';
  if (type === 'boolean') return '';
  return type === 'integer' || type === 'number' ? '<number>' : `<${name}>`;
}

function describe(hint: string, value: ControlField['default'], isDuration: boolean): string {
  if (value === undefined || /default/.test(hint)) return hint;
  return `${hint}; default: ${isDuration ? formatDuration(Number(value)) : value}`;
}

/** Adds choices and a parser for the field's values. */
export function addParser(target: Argument | Option, parameter: Parameter, isRange: boolean): void {
  const { schema, argument } = parameter;
  if (argument?.includes('...')) return;
  if (schema.enum !== undefined) target.choices(schema.enum);
  const parse = isRange ? parseRange : createParser(parameter);
  if (parse !== undefined) target.argParser(parse);
}

function createParser({ schema, isDuration, placeholder }: Parameter): Parse | undefined {
  if (schema.properties !== undefined) return createMemberParser(schema.properties, isDuration);
  if (isDuration) return createDurationParser(formatDuration(schema.minimum ?? 0) || '0ms', formatDuration(schema.maximum!));
  if (schema.enum !== undefined) return (text) => parseChoice(text, schema.enum!);
  if (schema.type === 'integer') return createWholeNumberParser(schema.minimum ?? 0, schema.maximum);
  if (schema.type === 'number') return (text) => parseProbability(text, schema);
  if (schema.type === 'array') return (text) => parseList(text, schema.items?.enum ?? []);
  return schema.additionalProperties === undefined ? undefined : (text, earlier) => parsePair(text, placeholder, earlier as never);
}

/** An object with one member is written as the member's value. */
function createMemberParser(properties: Readonly<Record<string, Field>>, isDuration: boolean): Parse {
  const [[name, schema] = ['', {}]] = Object.entries(properties);
  const parse = createParser({ schema, isDuration } as Parameter)!;
  return (text) => ({ [name]: parse(text) });
}

function parseChoice(text: string, choices: readonly string[]): string {
  if (choices.includes(text)) return text;
  throw new InvalidArgumentError(didYouMean(text, choices).trim() || `Allowed choices are ${choices.join(', ')}.`);
}

function parseList(text: string, choices: readonly string[]): readonly string[] {
  if (text === 'all') return choices;
  const parts = text.split(',').map((part) => part.trim());
  const unknown = parts.find((part) => !choices.includes(part));
  if (unknown === undefined) return [...new Set(parts)];
  throw new InvalidArgumentError(`There is no "${unknown}".${didYouMean(unknown, choices) || ` There are: ${choices.join(', ')}.`}`);
}

function parseProbability(text: string, { exclusiveMinimum = 0, maximum = 1 }: Field): number {
  const number = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number > exclusiveMinimum && number <= maximum) return number;
  throw new InvalidArgumentError(`The value must be a number greater than ${exclusiveMinimum} and at most ${maximum}, such as 0.2.`);
}

function parseRange(text: string): readonly number[] {
  const [, min, max] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? [];
  if (min === undefined)
    throw new InvalidArgumentError('The value must be a number of milliseconds such as 500, or a range such as 200-2000.');
  return max === undefined ? [Number(min)] : [Number(min), Number(max)];
}

/** Reads the file of a value such as `@event.json`, and parses JSON. */
export async function readValue(
  { name, description, placeholder, isUpperEnd }: Parameter,
  value: unknown,
  isRange: boolean,
): Promise<unknown> {
  if (isRange) return (value as readonly number[])[isUpperEnd ? 1 : 0];
  if (!description.includes('@file')) return value;
  const text = await readTextOrFile(value as string);
  if (placeholder === '<text>' || placeholder === '<yaml>') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (placeholder === '<json|text>') return text;
    throw new UsageError(`--${name} is not valid JSON: ${(error as Error).message}. To send text that is not JSON, use --body.`);
  }
}
