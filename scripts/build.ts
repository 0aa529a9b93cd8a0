// Builds dist: the command, the library and the console as bundles, the suite as single files, because Playwright loads its files by path, and the types.
// docs/decisions/0005 has the reasons. Types are not checked here, because `npm run check` checks them. The npm script `prepare` of
// `runtime` runs this file with plain Node.
import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { listPackagedFixtures } from '../src/world/package-files.ts';
import { readWorld } from '../src/world/yaml.ts';
import { bundle } from './build/bundle.ts';
import { buildConsole } from './build/console.ts';
import { notices } from './build/notices.ts';

// Build into another folder first, so that a failed build does not damage the last good one.
const fresh = 'dist.new';
const compile = (config: string) =>
  promisify(execFile)(process.execPath, ['node_modules/typescript/bin/tsc', '-p', config, '--noCheck', '--outDir', fresh]).catch(
    ({ stdout }: { stdout: string }) => {
      throw new Error(`tsc -p ${config} failed:\n${stdout}`);
    },
  );

rmSync(fresh, { recursive: true, force: true });
const [inputs, ofConsole] = await Promise.all([
  bundle(fresh),
  buildConsole(`${fresh}/console`),
  compile('tsconfig.build.json'),
  compile('tsconfig.types.json'),
]);
writeFileSync(`${fresh}/THIRD-PARTY-NOTICES.txt`, notices([...inputs, ...ofConsole]));
mkdirSync(`${fresh}/worlds`);
for (const name of await listPackagedFixtures('world')) {
  const { world, rows } = await readWorld(name);
  writeFileSync(`${fresh}/worlds/${name}.json`, JSON.stringify({ world, rows }));
}
// The package exports JSON files, and the suite reads some of them at run time.
for (const file of globSync('src/**/*.json', { exclude: ['**/tsconfig.json'] })) cpSync(file, `${fresh}/${file}`);
rmSync('dist', { recursive: true, force: true });
renameSync(fresh, 'dist');
