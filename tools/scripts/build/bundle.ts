import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { relative } from 'node:path';
import { build, type Plugin } from 'esbuild';

/** Loads built-in modules with `require`, because an `import` of `node:http` would also load undici. */
const requireBuiltins: Plugin = {
  name: 'required-builtins',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ kind, path }) => (kind === 'import-statement' ? { path, namespace: 'builtin' } : undefined));
    onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({ contents: `module.exports = require(${JSON.stringify(path)});` }));
  },
};

const deduplicatePackages: Plugin = {
  name: 'one-copy-of-each-version',
  setup({ onResolve, resolve }) {
    const folders = new Map<string, string>();
    onResolve({ filter: /^[^./]/ }, async ({ path, pluginData, ...options }) => {
      if (pluginData === 'resolved') return undefined;
      const result = await resolve(path, { ...options, pluginData: 'resolved' });
      const [, folder, file] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)(\/.*)$/.exec(result.path) ?? [];
      if (folder === undefined) return result;
      const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as { name: string; version: string };
      const first = folders.get(`${name} ${version}`) ?? folder;
      folders.set(`${name} ${version}`, first);
      return { ...result, path: `${first}${file}` };
    });
  },
};

/**
 * Gives an `import()` of a CommonJS package the same names that Node gives it. Otherwise, esbuild's module would have only a default
 * export, and `const { parse } = await import('yaml')` would work in the sources only.
 */
const nameCommonJsExports: Plugin = {
  name: 'names-of-commonjs-exports',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^[^./]/ }, async ({ kind, path, pluginData, ...options }) => {
      if (kind !== 'dynamic-import' || pluginData !== undefined || isBuiltin(path)) return undefined;
      const resolved = await resolve(path, { kind, ...options, pluginData: 'unnamed' });
      const names = Object.keys(await import(resolved.path));
      // In Node, only CommonJS modules have this export.
      return names.includes('module.exports') ? { path: relative('.', resolved.path), namespace: 'commonjs', pluginData: names } : resolved;
    });
    onLoad({ filter: /./, namespace: 'commonjs' }, ({ path, pluginData }) => {
      const names = (pluginData as string[]).filter((name) => name !== 'default' && name !== 'module.exports');
      const contents = `const exported = require('./${path}');
export default exported;
export const { ${names.join(', ')} } = exported;`;
      return { contents, resolveDir: '.' };
    });
  },
};

const ENTRY_POINTS = [
  'src/cli/main.ts',
  'src/kit.ts',
  'src/sdk/playwright.ts',
  'src/sdk/vitest.ts',
  'src/world/compile-worker.ts',
  'conformance/runner/list-exports.ts',
  // Playwright loads these files of the suite by their paths.
  'conformance/playwright.config.ts',
  'conformance/runner/verdict-reporter.ts',
  ...globSync('conformance/rules/**/*.spec.ts'),
];

/** @returns the paths of all bundled files, such as `src/kit.ts` */
export async function bundle(folder: string, entryPoints = ENTRY_POINTS): Promise<string[]> {
  const { metafile, warnings } = await build({
    entryPoints,
    outbase: '.',
    outdir: folder,
    // Modules loaded with `import()` get separate files. Their common code goes into shared files.
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node22.19',
    external: ['pg-native', 'vitest', '@playwright/test'],
    // Define `require`, because bundled CommonJS packages call it.
    banner: { js: "import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);" },
    plugins: [requireBuiltins, nameCommonJsExports, deduplicatePackages],
    metafile: true,
    logLevel: 'warning',
  });
  if (warnings.length > 0) throw new Error('The bundle has warnings.');
  return Object.keys(metafile.inputs).map((path) => relative('.', path));
}
