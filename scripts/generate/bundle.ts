/** Reads the contract: the documents bundled by Redocly, and the tables beside them. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { DocumentName, Documents, JsonObject } from './documents.ts';

const names = ['openapi', 'asyncapi', 'authorization', 'control'] as const satisfies DocumentName[];

/** Bundles every document in one run of the command: starting it is most of its time. */
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

/** A table beside the documents, such as decisions.yaml. */
export function readTable(root: string, name: string): JsonObject {
  return parse(readFileSync(join(root, 'openapi', name), 'utf8'));
}
