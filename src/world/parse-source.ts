import type { ValidateFunction } from 'ajv';
import { LineCounter, parseDocument } from 'yaml';
import { isNestedDeeper } from '../contract/validators.ts';
import { convertDocument, MAX_KEY_LENGTH, TOO_DEEP } from './convert-document.ts';
import { FixtureError, type WorldProblem } from './problem.ts';
import { toProblems } from './schema-problems.ts';

type Parsed = ReturnType<typeof parseDocument>;

export interface Source {
  readonly value: unknown;
  error(problems: readonly WorldProblem[]): FixtureError;
  /** @throws FixtureError with every problem */
  getValidValue<T>(validate: ValidateFunction<T>): T;
}

/** Parses YAML 1.2, which includes JSON. @param name the file's name in messages @throws FixtureError with every syntax error */
export function parseSource(text: string, name: string): Source {
  const value = parseJson(text);
  const parsed = value === undefined ? parseYaml(text, name) : undefined;
  const error = (problems: readonly WorldProblem[]) => {
    const { createError, findOffset } = parsed ?? parseYaml(text, name);
    return createError(problems.map((problem) => ({ offset: findOffset(problem), reason: problem.reason })));
  };
  return {
    value: parsed ? parsed.value : value,
    error,
    getValidValue<T>(validate: ValidateFunction<T>): T {
      if (validate(this.value)) return this.value;
      throw error(toProblems(validate.errors ?? []));
    },
  };
}

/**
 * Parses valid JSON, which takes a twentieth of the YAML parser's time and memory.
 * @returns undefined for other text, and for JSON with a problem that the YAML parser reports with its line
 */
function parseJson(text: string): unknown {
  if (!/^\ufeff?\s*\{/.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
  let keys = 0;
  for (const [, key = '', colon] of text.matchAll(/"((?:[^"\\]|\\.)*)"(\s*:)?/g)) {
    if (colon === undefined) continue;
    if (key.length > MAX_KEY_LENGTH) return undefined;
    keys++;
  }
  // An object keeps only the last of several equal keys.
  return !isNestedDeeper(value) && countKeys(value) === keys ? value : undefined;
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members: unknown[] = Object.values(value);
  return members.reduce((sum: number, member) => sum + countKeys(member), Array.isArray(value) ? 0 : members.length);
}

type PlacedProblem = { readonly offset: number; readonly reason: string };

function parseYaml(text: string, name: string) {
  const lines = new LineCounter();
  function createError(problems: readonly PlacedProblem[]): FixtureError {
    const sorted = problems.toSorted((a, b) => a.offset - b.offset);
    return new FixtureError(
      sorted.map(({ offset, reason }) => {
        const { line, col } = lines.linePos(offset);
        return `${name}:${line}:${col}: ${reason}`;
      }),
    );
  }
  // The parser would compare each key with all other keys of its map, so `convertDocument` looks for duplicates.
  const options = { lineCounter: lines, stringKeys: true, prettyErrors: false, version: '1.2', uniqueKeys: false } as const;
  const document = parseDocument(text, options);
  const invalid = findSyntaxErrors(document);
  const converted = invalid.length > 0 ? undefined : convertDocument(document);
  if (invalid.length > 0 || !converted || converted.problems.length > 0) throw createError(converted?.problems ?? invalid);
  return { ...converted, createError };
}

/** The parser's own messages are for programmers, not for authors of fixture files. */
const SYNTAX_MESSAGES: Record<string, string> = {
  MULTIPLE_DOCS:
    'A second document starts here. A file may contain only one document: remove the --- line, or the text before or after it.',
  NON_STRING_KEY: 'A key must be a string.',
  RESOURCE_EXHAUSTION: TOO_DEEP,
  TAB_AS_INDENT: 'A tab is used for indentation. Use spaces.',
};

function findSyntaxErrors({ contents, errors, warnings, directives }: Parsed): { offset: number; reason: string }[] {
  const exhausted = errors.filter(({ code }) => code === 'RESOURCE_EXHAUSTION');
  const reported = exhausted.length > 0 ? exhausted.slice(0, 1) : [...errors, ...warnings];
  const found = reported.map(({ code, message, pos }) => ({
    offset: pos[0],
    reason: SYNTAX_MESSAGES[code] ?? `${message.slice(0, 200)}.`,
  }));
  // YAML 1.1 files are refused, because YAML 1.2 reads values such as `no` and `12:30` differently.
  if (directives?.yaml.version === '1.1')
    found.push({ offset: 0, reason: 'The file declares YAML 1.1. Remove the %YAML line: the file is read as YAML 1.2.' });
  if (contents === null && found.length === 0) found.push({ offset: 0, reason: 'The file is empty.' });
  return found;
}
