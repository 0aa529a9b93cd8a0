import { join } from 'node:path';
import { type Check, createEmptyFolder, download, run, runTool, withKit } from './check.ts';

const OPENAPI = { service: '/openapi.json', control: '/_control/openapi.json', authorization: '/auth/openapi.json' };

const createLintCheck = (name: string, path: string, lint: (file: string) => Promise<unknown>): Check => ({
  name,
  run: () => withKit(async (kit) => lint(await download(kit, path, join(createEmptyFolder(name), 'document.json')))),
});

const spectral = (file: string) => runTool('spectral', ['lint', '--ruleset', 'spectral.yaml', '--fail-severity', 'warn', file]);
// The authorization endpoint answers with a redirect.
const redocly = (file: string) =>
  runTool('redocly', ['lint', '--extends', 'recommended-strict', '--skip-rule', 'operation-2xx-response', file]);

export const linters: readonly Check[] = [
  ...Object.entries(OPENAPI).flatMap(([document, path]) => [
    createLintCheck(`spectral-${document}`, path, spectral),
    createLintCheck(`redocly-${document}`, path, redocly),
  ]),
  createLintCheck('openapi-backend', '/openapi.json?version=3.0', (file) => run(process.execPath, ['load-openapi-backend.mjs', file])),
  createLintCheck('modelina', '/asyncapi.json', (file) => run(process.execPath, ['generate-models.mjs', file])),
  createLintCheck('spectral-asyncapi', '/asyncapi.json', spectral),
  createLintCheck('asyncapi-parser', '/asyncapi.json', (file) => run(process.execPath, ['parse-asyncapi.mjs', file])),
];
