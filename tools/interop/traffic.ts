import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Check, createEmptyFolder, download, run, runTool, withKit } from './check.ts';

const WORKFLOWS = resolve(import.meta.dirname, '../../examples/arazzo/provider.arazzo.yaml');
const COLLECTION = resolve(import.meta.dirname, '../../examples/collections/postman.json');
const DOCUMENTED_ADDRESS = 'http://127.0.0.1:4010';

const respect: Check = {
  name: 'redocly-respect',
  run: () =>
    withKit(async (kit) => {
      const file = join(createEmptyFolder('redocly-respect'), 'provider.arazzo.yaml');
      writeFileSync(file, readFileSync(WORKFLOWS, 'utf8').replaceAll(DOCUMENTED_ADDRESS, kit.url));
      await runTool('redocly', ['respect', file, '--input', `token=${await kit.mint()}`]);
    }),
};

/** Sends every request in the document with its examples, and validates the responses. */
const portman: Check = {
  name: 'portman',
  run: () =>
    withKit(async (kit) => {
      const folder = createEmptyFolder('portman');
      const document = await download(kit, '/openapi.json', join(folder, 'openapi.json'));
      const config = join(folder, 'portman.json');
      writeFileSync(config, JSON.stringify(createPortmanConfig(kit.url, await kit.mint())));
      const conversion = join(folder, 'postman.json');
      writeFileSync(conversion, JSON.stringify(CONVERSION_OPTIONS));
      const options = ['--portmanConfigFile', config, '--postmanConfigFile', conversion, '--runNewman'];
      await runTool('portman', ['--local', document, '--baseUrl', kit.url, ...options], { cwd: folder });
    }),
};

/** Send the optional parameters. Each filter is optional, but a list request needs at least one. */
const CONVERSION_OPTIONS = { folderStrategy: 'Tags', requestParametersResolution: 'Example', enableOptionalParameters: true };

const createPortmanConfig = (url: string, token: string) => ({
  version: 1,
  tests: {
    contractTests: [{ openApiOperation: '*::/*', ...Object.fromEntries(CONTRACT_TESTS.map((name) => [name, { enabled: true }])) }],
  },
  overwrites: [
    {
      openApiOperation: '*::/*',
      overwriteRequestSecurity: { bearer: { token } },
      // Remove the cursor, because it is valid only with the parameters of the list that returned it.
      overwriteRequestQueryParams: [{ key: 'cursor', remove: true }],
    },
  ],
  operationPreRequestScripts: ['/experience/connections', '/experience-connections'].map((path) => ({
    openApiOperation: `POST::${path}`,
    // Delete this connection, because the example creates the same one.
    scripts: [
      `pm.sendRequest({ url: '${url}/_control/state/connections/contoso-reception', method: 'DELETE', ${JSON_HEADER} }, ${RETHROW});`,
    ],
  })),
  globals: {
    // Reset the demo world before each request, because the examples refer to its initial state.
    collectionPreRequestScripts: [`pm.sendRequest({ url: '${url}/_control/reset', method: 'POST', ${RESET_OPTIONS} }, ${RETHROW});`],
  },
});
const CONTRACT_TESTS = ['statusSuccess', 'contentType', 'schemaValidation'];
const RETHROW = '(error) => { if (error) throw error; }';
const JSON_HEADER = `header: { 'content-type': 'application/json' }`;
const RESET_OPTIONS = `${JSON_HEADER}, body: { mode: 'raw', raw: '{"to":"seed"}' }`;

const createVerificationCheck = (library: string): Check => ({
  name: library,
  run: () =>
    withKit(
      async (kit) => {
        const secret = `whsec_${Buffer.alloc(24, 'secret').toString('base64')}`;
        const { received } = await kit.subscribe(() => undefined, { types: ['provisioning.user.created'], secret });
        await kit.state.add('users', { account: 'northwind' });
        await kit.settled();
        const file = join(createEmptyFolder(library), 'delivery.json');
        writeFileSync(file, JSON.stringify({ secret, ...received[0] }));
        await run(process.execPath, ['verify-delivery.mjs', library, file]);
      },
      { set: { 'events.delivery.signature': 'standard-webhooks' } },
    ),
});

/** Runs the collection for Postman in examples/collections, whose requests check their statuses. */
const newman: Check = {
  name: 'newman',
  run: () => withKit((kit) => runTool('newman', ['run', COLLECTION, '--bail', '--env-var', `baseUrl=${kit.url}`])),
};

export const traffic: readonly Check[] = [
  respect,
  portman,
  newman,
  createVerificationCheck('standardwebhooks'),
  createVerificationCheck('svix'),
];
