/** Reads the contract: the bundled documents and the tables beside them. Navigates them by reference and by walking, and collects their mistakes. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';

const names = ['openapi', 'asyncapi', 'authorization', 'control'] as const satisfies DocumentName[];

/** Bundles all documents with one run of Redocly, because most of its time is its start. */
export function bundleDocuments(root: string): Documents {
  const folder = mkdtempSync(join(tmpdir(), 'contract-'));
  try {
    const cli = join(root, 'node_modules/@redocly/cli/bin/cli.js');
    const sources = names.map((name) => `openapi/${name}.yaml`);
    execFileSync(process.execPath, [cli, 'bundle', ...sources, '--output', folder, '--ext', 'json'], {
      cwd: root,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const read = (name: DocumentName): JsonObject => JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
    return { openapi: read('openapi'), asyncapi: read('asyncapi'), authorization: read('authorization'), control: read('control') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A YAML file that is no OpenAPI document, such as openapi/decisions.yaml. */
export function readTable(root: string, path: string): JsonObject {
  return parse(readFileSync(join(root, path), 'utf8'));
}

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };
export type DocumentName = 'openapi' | 'asyncapi' | 'authorization' | 'control';
/** The bundled documents: everything a reference names is inside the document itself. */
export type Documents = Record<DocumentName, JsonObject>;

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The member of an object as an object; empty if it is none. */
export function objectAt(parent: JsonObject, key: string): JsonObject {
  const value = parent[key];
  return isObject(value) ? value : {};
}

/** The member of an object as a list of strings; empty if it is none. */
export function textsAt(parent: JsonObject, key: string): string[] {
  const value = parent[key];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The object that a `#/…` reference names. @throws Error if it names nothing */
export function lookUp(document: JsonObject, reference: string): JsonObject {
  let found: Json | undefined = document;
  for (const part of reference.replace(/^#\//, '').split('/')) {
    const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    found = isObject(found) ? found[key] : undefined;
  }
  if (!isObject(found)) throw new Error(`${reference} names nothing`);
  return found;
}

/** Follows a `$ref`, if the node is one. */
export function resolve(document: JsonObject, node: Json | undefined): JsonObject {
  if (!isObject(node)) return {};
  return typeof node.$ref === 'string' ? resolve(document, lookUp(document, node.$ref)) : node;
}

/** Every object in a document, with its place as a JSON pointer. */
export function* walk(node: Json, place = ''): Generator<{ node: JsonObject; place: string }> {
  if (Array.isArray(node)) for (const [index, item] of node.entries()) yield* walk(item, `${place}/${index}`);
  if (!isObject(node)) return;
  yield { node, place };
  for (const [key, value] of Object.entries(node)) yield* walk(value, `${place}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
}

/** The references of a schema, direct and indirect. */
export function reachable(document: JsonObject, schema: Json, seen = new Set<string>()): Set<string> {
  for (const { node } of walk(schema)) {
    if (typeof node.$ref !== 'string' || seen.has(node.$ref)) continue;
    seen.add(node.$ref);
    reachable(document, lookUp(document, node.$ref), seen);
  }
  return seen;
}

/** Collects the mistakes of the contract, so that one run of the generator reports all of them. */
export class Problems {
  private readonly found: string[] = [];

  add(place: string, problem: string): void {
    this.found.push(`${place}: ${problem}`);
  }

  /** @throws Error with every problem on a line of its own, if there is any */
  throwIfAny(): void {
    if (this.found.length > 0) throw new Error(`the contract has mistakes:\n  ${this.found.join('\n  ')}`);
  }
}
