import { join } from 'node:path';
import type { Kit } from '../../src/kit.ts';
import { type Check, createEmptyFolder, download, run, runTool, withKit } from './check.ts';

/** Generates a client in a folder, from the folder's `openapi.json`. */
type Generate = (folder: string) => Promise<unknown>;

const openapiTypescript: Generate = (folder) =>
  runTool('openapi-typescript', [join(folder, 'openapi.json'), '--output', join(folder, 'api.ts')]);
const heyApi: Generate = (folder) => runTool('openapi-ts', ['--input', join(folder, 'openapi.json'), '--output', join(folder, 'api')]);

/** Maps the name of a program in `clients/` to the generator of its client. */
const GENERATORS: Readonly<Record<string, Generate>> = {
  'openapi-typescript': openapiTypescript,
  'hey-api': heyApi,
  orval: () => runTool('orval', ['--config', 'clients/orval.config.mjs']),
  kubb: (cwd) => runTool('kubb', ['generate', '--config', '../../clients/kubb.config.mjs'], { cwd }),
  'openapi-zod-client': (folder) => runTool('openapi-zod-client', [join(folder, 'openapi.json'), '--output', join(folder, 'api.ts')]),
  oazapfts: (folder) => runTool('oazapfts', [join(folder, 'openapi.json'), join(folder, 'api.ts')]),
  'rtk-query': () => runTool('rtk-query-codegen-openapi', ['clients/rtk-query.config.cjs']),
};
const CONTROL_GENERATORS: typeof GENERATORS = { 'control-openapi-typescript': openapiTypescript, 'control-hey-api': heyApi };

/** Strict compiler options, which also check the generated code and the libraries' types. */
const STRICT_OPTIONS =
  '--noEmit --strict --skipLibCheck false --target es2024 --lib es2024,dom,dom.iterable --module preserve --allowImportingTsExtensions --types node';

const createClientCheck = (document: string, name: string, generate: Generate): Check => ({
  name,
  run: () =>
    withKit(async (kit) => {
      const folder = createEmptyFolder(name);
      await download(kit, document, join(folder, 'openapi.json'));
      const printed = await generate(folder);
      const program = `clients/${name}.ts`;
      await runTool('tsc', [...STRICT_OPTIONS.split(' '), program]).catch((error: Error) => {
        throw new Error(`${error.message}\nThe generator printed:\n${printed}`);
      });
      await run(process.execPath, ['--import', 'tsx', program], { env: await createEnvironment(kit) });
    }),
});

async function createEnvironment(kit: Kit): Promise<Record<string, string>> {
  const [TOKEN, ACCOUNT, EXPERIENCE] = await Promise.all([kit.mint(), kit.id('accounts', 'northwind'), kit.id('experiences', 'concierge')]);
  return { KIT_URL: kit.url, TOKEN, ACCOUNT, EXPERIENCE };
}

export const generators: readonly Check[] = [
  ...Object.entries(GENERATORS).map(([name, generate]) => createClientCheck('/openapi.json', name, generate)),
  ...Object.entries(CONTROL_GENERATORS).map(([name, generate]) => createClientCheck('/_control/openapi.json', name, generate)),
];
