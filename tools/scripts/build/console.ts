// Bundles the console, which a kit serves at /_console.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { type BuildOptions, build, context, type Plugin } from 'esbuild';

const CLIENT = 'src/console/client';

const writeIndexPage = (folder: string): Plugin => ({
  name: 'page',
  setup({ onStart, onEnd }) {
    onStart(() => rmSync(folder, { recursive: true, force: true }));
    onEnd(({ metafile }) => {
      const outputs = Object.entries(metafile?.outputs ?? {});
      const html = outputs.reduce(
        (text, [path, { entryPoint }]) => {
          const name = entryPoint === `${CLIENT}/main.tsx` ? 'main.js' : entryPoint?.endsWith('style.css') ? 'style.css' : undefined;
          return name === undefined ? text : text.replace(`./assets/${name}`, `./${relative(folder, path)}`);
        },
        readFileSync(`${CLIENT}/index.html`, 'utf8'),
      );
      mkdirSync(folder, { recursive: true });
      writeFileSync(`${folder}/index.html`, html);
    });
  },
});

const combineStyles: Plugin = {
  name: 'all-styles',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^style\.css$/ }, ({ path }) => ({ path, namespace: 'styles' }));
    onLoad({ filter: /./, namespace: 'styles' }, () => {
      const files = ['design', 'ui', 'pages'].flatMap((folder) => globSync(`${CLIENT}/${folder}/**/*.css`).sort());
      return { contents: files.map((file) => `@import './${file}';`).join('\n'), loader: 'css', resolveDir: '.', watchFiles: files };
    });
  },
};

/** Constraints that the kit checks, and parts of the control API that only the command line needs. */
const UNUSED: readonly string[] = ['pattern', 'minimum', 'maximum', 'exclusiveMinimum', 'verbs', 'none'];

const omitUnused: Plugin = {
  name: 'no-unused-parts',
  setup({ onLoad }) {
    onLoad({ filter: /\/generated\/(control-table|entity-forms)\.ts$/ }, async ({ path }) => {
      const tables: object = await import(path);
      const isUnused = (name: string, value: unknown) => UNUSED.includes(name) && !(value instanceof Object && 'type' in value);
      const contents = Object.entries(tables).map(
        ([name, table]) => `export const ${name} = ${JSON.stringify(table, (key, value) => (isUnused(key, value) ? undefined : value))};`,
      );
      return { contents: contents.join('\n'), loader: 'ts', watchFiles: [path] };
    });
  },
};

const createBuildOptions = (folder: string): BuildOptions & { metafile: true } => ({
  entryPoints: { main: `${CLIENT}/main.tsx`, style: 'style.css' },
  outdir: `${folder}/assets`,
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  minify: true,
  jsx: 'automatic',
  jsxImportSource: 'preact',
  target: ['chrome123', 'firefox128', 'safari18'],
  plugins: [writeIndexPage(folder), combineStyles, omitUnused],
  metafile: true,
  logLevel: 'warning',
});

/** @returns the paths of all files in the bundle */
export async function buildConsole(folder: string): Promise<string[]> {
  const { metafile, warnings } = await build(createBuildOptions(folder));
  if (warnings.length > 0) throw new Error('The bundle of the console has warnings.');
  return Object.keys(metafile.inputs).filter((path) => !path.startsWith('styles:'));
}

/** Builds the console, and again after each change. */
export async function watchConsole(folder: string): Promise<void> {
  await (await context(createBuildOptions(folder))).watch();
}
