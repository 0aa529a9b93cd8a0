import type { ValidateFunction } from 'ajv';
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, type ParsedNode, parseDocument } from 'yaml';
import { isNestedDeeper } from '../contract/validators.ts';
import { FixtureError, toSteps, type WorldProblem } from './problem.ts';
import { toProblems } from './schema-problems.ts';

type Parsed = ReturnType<typeof parseDocument>;

export interface Source {
  readonly value: unknown;
  error(problems: readonly WorldProblem[]): FixtureError;
  /** @throws FixtureError with every problem */
  getValidValue<T>(validate: ValidateFunction<T>): T;
}

/** Without this limit, a few nested YAML aliases could exhaust the memory. */
const MAX_ALIASES = 100;

/** Parses YAML 1.2, which includes JSON. @param name the file's name in messages @throws FixtureError with every syntax error */
export function parseSource(text: string, name: string): Source {
  const lines = new LineCounter();
  function createError(problems: { offset: number; reason: string }[]): FixtureError {
    const placed = problems.toSorted((a, b) => a.offset - b.offset).map(({ offset, reason }) => ({ ...lines.linePos(offset), reason }));
    return new FixtureError(placed.map(({ line, col, reason }) => `${name}:${line}:${col}: ${reason}`));
  }
  const document = parseDocument(text, { lineCounter: lines, stringKeys: true, prettyErrors: false, version: '1.2' });
  const invalid = findSyntaxErrors(document);
  if (invalid.length > 0) throw createError(invalid);
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    // The parser throws a ReferenceError for an alias before its anchor, or for too many aliases.
    if (!(error instanceof ReferenceError)) throw error;
    throw createError([{ offset: 0, reason: `${error.message}.` }]);
  }
  // An alias inside its own anchor creates a circular value.
  if (isNestedDeeper(value)) throw createError([{ offset: 0, reason: TOO_DEEP_MESSAGE }]);
  const error = (problems: readonly WorldProblem[]) =>
    createError(problems.map((problem) => ({ offset: findNode(document, problem)?.range?.[0] ?? 0, reason: problem.reason })));
  return {
    value,
    error,
    getValidValue<T>(validate: ValidateFunction<T>): T {
      if (validate(value)) return value;
      throw error(toProblems(validate.errors ?? []));
    },
  };
}

const TOO_DEEP_MESSAGE = 'This is nested too deeply.';

/** The parser's own messages are for programmers, not for authors of fixture files. */
const SYNTAX_MESSAGES: Record<string, string> = {
  DUPLICATE_KEY: 'This key is used twice. Keep one.',
  MULTIPLE_DOCS:
    'A second document starts here. A file may contain only one document: remove the --- line, or the text before or after it.',
  NON_STRING_KEY: 'A key must be a string.',
  RESOURCE_EXHAUSTION: TOO_DEEP_MESSAGE,
  TAB_AS_INDENT: 'A tab is used for indentation. Use spaces.',
};

function findSyntaxErrors({ contents, errors, warnings, directives }: Parsed): { offset: number; reason: string }[] {
  const exhausted = errors.filter(({ code }) => code === 'RESOURCE_EXHAUSTION');
  const reported = exhausted.length > 0 ? exhausted.slice(0, 1) : [...errors, ...warnings];
  const found = reported.map(({ code, message, pos }) => ({ offset: pos[0], reason: SYNTAX_MESSAGES[code] ?? `${message}.` }));
  // YAML 1.1 files are refused, because YAML 1.2 reads values such as `no` and `12:30` differently.
  if (directives?.yaml.version === '1.1')
    found.push({ offset: 0, reason: 'The file declares YAML 1.1. Remove the %YAML line: the file is read as YAML 1.2.' });
  if (contents === null && found.length === 0) found.push({ offset: 0, reason: 'The file is empty.' });
  return found;
}

/** Finds the node at a problem's pointer, or the last existing node on the path. */
function findNode(document: Parsed, { pointer, at }: WorldProblem): Node | null | undefined {
  let node: Node | null = document.contents as ParsedNode;
  const steps = toSteps(pointer);
  for (const [index, step] of steps.entries()) {
    const container: unknown = isAlias(node) ? node.resolve(document) : node;
    if (isSeq<Node>(container)) node = container.items[Number(step)] ?? node;
    if (!isMap<Node, Node | null>(container)) continue;
    const pair = container.items.find(({ key }) => isScalar(key) && String(key.value) === step);
    if (pair === undefined) return node;
    node = index === steps.length - 1 && at === 'key' ? pair.key : (pair.value ?? pair.key);
  }
  return node;
}
