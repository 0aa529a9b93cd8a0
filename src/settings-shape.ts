import { didYouMean } from './contract/did-you-mean.ts';
import { type KitSettings, SettingsError } from './settings.ts';

type Shape = { readonly kind: string; readonly fits: (value: unknown) => boolean };

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
const text: Shape = { kind: 'a text', fits: (value) => typeof value === 'string' };
const texts: Shape = { kind: 'a list of texts', fits: (value) => Array.isArray(value) && value.every(text.fits) };
const number: Shape = { kind: 'a number', fits: (value) => typeof value === 'number' };
const truth: Shape = { kind: 'true or false', fits: (value) => typeof value === 'boolean' };
const map: Shape = { kind: 'an object', fits: isObject };
const world: Shape = { kind: 'a text, or a world', fits: (value) => text.fits(value) || isObject(value) };

// A setting that is missing here does not compile.
const SHAPES: Readonly<Record<keyof KitSettings, Shape>> = {
  port: number,
  host: text,
  allowHost: texts,
  allowOrigin: texts,
  data: text,
  database: text,
  publicUrl: text,
  decisions: text,
  set: map,
  control: truth,
  controlToken: text,
  login: text,
  logLevel: text,
  retries: text,
  destinations: text,
  deliveryTimeout: { kind: 'a number of milliseconds or a duration such as 2s', fits: (value) => number.fits(value) || text.fits(value) },
  timeouts: map,
  fixtures: world,
  scenario: text,
};
const TIMEOUTS: Readonly<Record<keyof NonNullable<KitSettings['timeouts']>, Shape>> = {
  headersTimeoutMs: number,
  requestTimeoutMs: number,
  checkIntervalMs: number,
};

/** Refuses settings that do not exist or are of another type: a program in JavaScript has no compiler to do so. @throws SettingsError */
export function checkShape(given: unknown): void {
  if (!isObject(given)) throw new SettingsError('The settings of a kit are an object, such as { port: 0 }.');
  checkMembers(given as object, SHAPES, '');
  const { timeouts } = given as KitSettings;
  if (timeouts !== undefined) checkMembers(timeouts, TIMEOUTS, 'timeouts.');
}

function checkMembers(given: object, shapes: Readonly<Record<string, Shape>>, within: string): void {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(shapes, name)) throw new SettingsError(`There is no setting "${within}${name}".${hint(name, shapes)}`);
    const { kind, fits } = shapes[name] as Shape;
    if (value !== undefined && !fits(value)) throw new SettingsError(`The setting ${within}${name} is ${kind}, not ${described(value)}.`);
  }
}

function hint(name: string, shapes: Readonly<Record<string, Shape>>): string {
  const known = Object.keys(shapes);
  return didYouMean(name, known) || ` There are: ${known.join(', ')}.`;
}

/** What it is, not what is in it: that may be a secret. */
function described(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return (
    { string: 'a text', number: 'a number', boolean: 'true or false', object: 'an object' }[typeof value as string] ?? `a ${typeof value}`
  );
}
