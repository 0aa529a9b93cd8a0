import { join } from 'node:path';
import { type Check, download, emptyFolder, run, tool, withKit } from './check.ts';

const OPENAPI = { service: '/openapi.json', control: '/_control/openapi.json', authorization: '/auth/openapi.json' };

/** Downloads an OpenAPI document from a running kit and passes the file to `lint`. */
const lintCheck = (name: string, path: string, lint: (file: string) => Promise<unknown>): Check => ({
  name,
  run: () => withKit(async (kit) => lint(await download(kit, path, join(emptyFolder(name), 'document.json')))),
});

const spectral = (file: string) => tool('spectral', ['lint', '--ruleset', 'spectral.yaml', '--fail-severity', 'warn', file]);
// The authorization endpoint answers with a redirect.
const redocly = (file: string) =>
  tool('redocly', ['lint', '--extends', 'recommended-strict', '--skip-rule', 'operation-2xx-response', file]);

export const linters: readonly Check[] = [
  ...Object.entries(OPENAPI).flatMap(([document, path]) => [
    lintCheck(`spectral-${document}`, path, spectral),
    lintCheck(`redocly-${document}`, path, redocly),
  ]),
  lintCheck('spectral-asyncapi', '/asyncapi.json', spectral),
  lintCheck('asyncapi-parser', '/asyncapi.json', (file) => run(process.execPath, ['parse-asyncapi.mjs', file])),
];
