/** Reads the contract's documents and tables, and finds objects in them. */
import { execFileSync } from 'node:child_process';
import { mkdtempDisposableSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';

// biome-ignore lint/suspicious/noExplicitAny: the documents are linted, and most of their members are schemas of any shape
export type Json = Record<string, any>;

export const DOCUMENTS = ['openapi', 'asyncapi', 'authorization', 'control'] as const;
export type DocumentName = (typeof DOCUMENTS)[number];
/** References point only into the same document. */
export type Documents = Record<DocumentName, Json>;

/** Bundles all documents in one Redocly run, because Redocly starts slowly. */
export function bundleDocuments(root: string): Documents {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'contract-'));
  const cli = join(root, 'node_modules/@redocly/cli/bin/cli.js');
  const sources = DOCUMENTS.map((name) => `openapi/${name}.yaml`);
  execFileSync(process.execPath, [cli, 'bundle', ...sources, '--output', folder.path, '--ext', 'json'], {
    cwd: root,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const read = (name: DocumentName) => JSON.parse(readFileSync(join(folder.path, `${name}.json`), 'utf8'));
  return Object.fromEntries(DOCUMENTS.map((name) => [name, read(name)])) as Documents;
}

export function readTable(root: string, path: string): Json {
  return parse(readFileSync(join(root, path), 'utf8'));
}

export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });

/** @param place the beginning of every message */
export function findShapeProblems(schema: Json, value: unknown, place: string): string[] {
  const validate = ajv.compile(schema);
  if (validate(value)) return [];
  const errors = validate.errors ?? [];
  return errors.map(({ instancePath, message, params }) => `${place}${instancePath} ${message} ${Object.values(params)}`);
}

export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws Error if the object does not exist */
export function lookUpReference(document: Json, reference: string): Json {
  let found: Json | undefined = document;
  for (const part of reference.split('/').slice(1)) found = found?.[decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')];
  if (found === undefined) throw new Error(`A reference points to ${reference}, which the document does not contain`);
  return found;
}

export function resolve(document: Json, node: Json): Json {
  return typeof node.$ref === 'string' ? resolve(document, lookUpReference(document, node.$ref)) : node;
}

/** Yields every object in a document with its place, which is a JSON pointer. */
export function* walk(node: unknown, place = ''): Generator<{ node: Json; place: string }> {
  if (typeof node !== 'object' || node === null) return;
  if (isObject(node)) yield { node, place };
  for (const [key, value] of Object.entries(node)) yield* walk(value, `${place}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
}

/** Returns a copy of a node, in which `change` has replaced every object. It gets each object after that object's members are replaced. */
export function mapObjects(node: unknown, change: (object: Json) => Json): unknown {
  if (Array.isArray(node)) return node.map((item) => mapObjects(item, change));
  if (!isObject(node)) return node;
  return change(Object.fromEntries(Object.entries(node).map(([key, value]) => [key, mapObjects(value, change)])));
}

export function listReachable(document: Json, schema: Json, seen = new Set<string>()): Set<string> {
  for (const { node } of walk(schema)) {
    if (typeof node.$ref !== 'string' || seen.has(node.$ref)) continue;
    seen.add(node.$ref);
    listReachable(document, lookUpReference(document, node.$ref), seen);
  }
  return seen;
}
