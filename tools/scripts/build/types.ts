import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { REQUIRED_MODULES } from './commonjs.ts';

const ENTRY_POINTS = [...REQUIRED_MODULES, 'src/sdk/vitest'];

/** Packages whose types the package's own types contain, because a project does not have these packages. */
const INLINED_PACKAGES = ['openapi-fetch', 'openapi-typescript-helpers'];

/** Packages that a project has if it imports the module whose types need them. */
const EXTERNAL_PACKAGES = ['@playwright/test', 'vitest'];

/**
 * Generates the types of the modules that the package exports. What CommonJS programs can require is in CommonJS files, because an ES
 * module may re-export a CommonJS module, but not vice versa.
 * @returns the paths of all files in the bundle
 */
export async function bundleTypes(folder: string): Promise<string[]> {
  const unbundled = join(folder, 'types');
  // `--noCheck`, because the static checks report type errors.
  const options = ['-p', 'tools/scripts/build/tsconfig.types.json', '--noCheck', '--outDir', unbundled];
  await promisify(execFile)(process.execPath, ['node_modules/typescript/bin/tsc', ...options]).catch(({ stdout }: { stdout: string }) => {
    throw new Error(`tsc ${options.join(' ')} failed:\n${stdout}`);
  });
  const bundle = await rollup({
    input: Object.fromEntries(ENTRY_POINTS.map((path) => [path, join(unbundled, `${path}.d.ts`)])),
    plugins: [dts({ includeExternal: INLINED_PACKAGES })],
    external: (id) => id.startsWith('node:') || EXTERNAL_PACKAGES.includes(id),
    onLog(_, { message, code }) {
      // Types that no module exports can have any name.
      if (!message.includes('still references private shared type exports'))
        throw new Error(`The types cannot be bundled: ${code} ${message}`);
    },
  });
  await bundle.write({
    dir: folder,
    entryFileNames: ({ name }) => (REQUIRED_MODULES.includes(name) ? '[name].d.cts' : '[name].d.ts'),
    chunkFileNames: 'chunks/[name]-[hash].d.cts',
  });
  for (const path of REQUIRED_MODULES) writeFileSync(join(folder, `${path}.d.ts`), `export * from './${basename(path)}.cjs';\n`);
  rmSync(unbundled, { recursive: true });
  return bundle.watchFiles.map((path) => relative('.', path));
}
