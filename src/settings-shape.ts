import { didYouMean } from './contract/did-you-mean.ts';
import { type KitSettings, SettingsError } from './settings.ts';

type TypeCheck = readonly [description: string, matches: (value: unknown) => boolean];

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isString = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => typeof value === 'number';
const aString: TypeCheck = ['a string', isString];
const aStringList: TypeCheck = ['a list of strings', (value) => Array.isArray(value) && value.every(isString)];
const aNumber: TypeCheck = ['a number', isNumber];
const aBoolean: TypeCheck = ['true or false', (value) => typeof value === 'boolean'];
const anObject: TypeCheck = ['an object', isObject];

// The `Record` type makes the compiler report a missing setting.
const SETTING_TYPES: Readonly<Record<keyof KitSettings, TypeCheck>> = {
  port: aNumber,
  host: aString,
  allowHost: aStringList,
  allowOrigin: aStringList,
  data: aString,
  database: aString,
  publicUrl: aString,
  decisions: aString,
  set: anObject,
  control: aBoolean,
  controlToken: aString,
  login: aString,
  logLevel: aString,
  retries: aString,
  destinations: aString,
  deliveryTimeout: ['a number of milliseconds or a duration such as 2s', (value) => isNumber(value) || isString(value)],
  drain: ['a number of milliseconds or a duration such as 5s', (value) => isNumber(value) || isString(value)],
  databaseConnections: aNumber,
  reports: aString,
  maxWorlds: aNumber,
  upstream: anObject,
  timeouts: anObject,
  fixtures: ['a string, or a world', (value) => isString(value) || isObject(value)],
  scenario: aString,
  extend: anObject,
};
const TIMEOUT_TYPES: Readonly<Record<keyof NonNullable<KitSettings['timeouts']>, TypeCheck>> = {
  headersTimeoutMs: aNumber,
  requestTimeoutMs: aNumber,
  checkIntervalMs: aNumber,
};

const UPSTREAM_TYPES: Readonly<Record<keyof NonNullable<KitSettings['upstream']>, TypeCheck>> = {
  api: aString,
  auth: aString,
  events: anObject,
  timeoutMs: aNumber,
  insecure: aBoolean,
  faultWrites: aBoolean,
};

/** Refuses unknown settings and wrong types, for JavaScript programs. @throws SettingsError */
export function checkSettingTypes(given: unknown): void {
  if (!isObject(given)) throw new SettingsError('Kit settings must be an object, such as { port: 0 }.');
  checkMemberTypes(given as object, SETTING_TYPES, '');
  const { timeouts, upstream } = given as KitSettings;
  if (upstream !== undefined) checkMemberTypes(upstream, UPSTREAM_TYPES, 'upstream.');
  if (timeouts !== undefined) checkMemberTypes(timeouts, TIMEOUT_TYPES, 'timeouts.');
}

function checkMemberTypes(given: object, checks: Readonly<Record<string, TypeCheck>>, prefix: string): void {
  for (const [name, value] of Object.entries(given)) {
    const known = Object.keys(checks);
    if (!known.includes(name))
      throw new SettingsError(
        `There is no setting "${prefix}${name}".${didYouMean(name, known) || ` The settings are: ${known.join(', ')}.`}`,
      );
    const [description, matches] = checks[name] as TypeCheck;
    if (value !== undefined && !matches(value))
      throw new SettingsError(`The setting "${prefix}${name}" must be ${description}, not ${getTypeName(value)}.`);
  }
}

/** Returns a type name for error messages. They must not contain the value itself, because it may be secret. */
function getTypeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
