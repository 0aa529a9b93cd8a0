import { didYouMean } from './contract/did-you-mean.ts';
import { type KitSettings, SettingsError } from './settings.ts';

type Shape = readonly [description: string, matches: (value: unknown) => boolean];

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isString = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => typeof value === 'number';
const string: Shape = ['a string', isString];
const strings: Shape = ['a list of strings', (value) => Array.isArray(value) && value.every(isString)];
const number: Shape = ['a number', isNumber];
const boolean: Shape = ['true or false', (value) => typeof value === 'boolean'];
const object: Shape = ['an object', isObject];

// The expected type of each setting. The compiler reports a missing setting.
const SHAPES: Readonly<Record<keyof KitSettings, Shape>> = {
  port: number,
  host: string,
  allowHost: strings,
  allowOrigin: strings,
  data: string,
  database: string,
  publicUrl: string,
  decisions: string,
  set: object,
  control: boolean,
  controlToken: string,
  login: string,
  logLevel: string,
  retries: string,
  destinations: string,
  deliveryTimeout: ['a number of milliseconds or a duration such as 2s', (value) => isNumber(value) || isString(value)],
  drain: ['a number of milliseconds or a duration such as 5s', (value) => isNumber(value) || isString(value)],
  databaseConnections: number,
  reports: string,
  timeouts: object,
  fixtures: ['a string, or a world', (value) => isString(value) || isObject(value)],
  scenario: string,
  extend: object,
};
const TIMEOUTS: Readonly<Record<keyof NonNullable<KitSettings['timeouts']>, Shape>> = {
  headersTimeoutMs: number,
  requestTimeoutMs: number,
  checkIntervalMs: number,
};

/**
 * Refuses unknown settings and settings of a wrong type. Programs in JavaScript have no compiler that reports these errors. @throws
 * SettingsError
 */
export function checkShape(given: unknown): void {
  if (!isObject(given)) throw new SettingsError('The settings of a kit must be an object, such as { port: 0 }.');
  checkMembers(given as object, SHAPES, '');
  const { timeouts } = given as KitSettings;
  if (timeouts !== undefined) checkMembers(timeouts, TIMEOUTS, 'timeouts.');
}

function checkMembers(given: object, shapes: Readonly<Record<string, Shape>>, prefix: string): void {
  for (const [name, value] of Object.entries(given)) {
    const known = Object.keys(shapes);
    if (!known.includes(name))
      throw new SettingsError(
        `There is no setting "${prefix}${name}".${didYouMean(name, known) || ` The settings are: ${known.join(', ')}.`}`,
      );
    const [description, matches] = shapes[name] as Shape;
    if (value !== undefined && !matches(value))
      throw new SettingsError(`The setting ${prefix}${name} must be ${description}, not ${typeName(value)}.`);
  }
}

/** Returns the name of the type for the error message. The value may be a secret, so the message must not contain the value. */
function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
