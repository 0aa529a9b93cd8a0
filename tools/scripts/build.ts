// Builds dist. docs/decisions/0005 contains the reasons. The `prepare` script in tools/runtime/package.json runs this file with plain Node.
import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import packageJson from '../../package.json' with { type: 'json' };
import { formatYaml } from '../../src/http/published-document.ts';
import { listPackagedFixtures } from '../../src/world/package-files.ts';
import { readWorld } from '../../src/world/yaml.ts';
import { bundle } from './build/bundle.ts';
import { buildConsole } from './build/console.ts';
import { createNotices } from './build/notices.ts';

// Build into a new folder first, so that a failed build does not damage the previous build.
const newFolder = 'dist.new';
const compile = (config: string) =>
  promisify(execFile)(process.execPath, ['node_modules/typescript/bin/tsc', '-p', config, '--noCheck', '--outDir', newFolder]).catch(
    ({ stdout }: { stdout: string }) => {
      throw new Error(`tsc -p ${config} failed:\n${stdout}`);
    },
  );

rmSync(newFolder, { recursive: true, force: true });
const [inputs, ofConsole] = await Promise.all([
  bundle(newFolder),
  buildConsole(`${newFolder}/console`),
  compile('tools/scripts/build/tsconfig.suite.json'),
  compile('tools/scripts/build/tsconfig.types.json'),
]);
writeFileSync(`${newFolder}/THIRD-PARTY-NOTICES.txt`, createNotices([...inputs, ...ofConsole]));
mkdirSync(`${newFolder}/worlds`);
for (const name of await listPackagedFixtures('world')) {
  const { world, rows } = await readWorld(name);
  writeFileSync(`${newFolder}/worlds/${name}.json`, JSON.stringify({ world, rows }));
}
// Copy the JSON files, because the package exports some, and the conformance suite reads some at run time.
for (const file of globSync('src/**/*.json', { exclude: ['**/tsconfig.json'] })) cpSync(file, `${newFolder}/${file}`);
for (const path of Object.keys(packageJson.exports).filter((name) => name.endsWith('.yaml'))) {
  const file = `${newFolder}/src/contract/generated/${path}`;
  writeFileSync(file, await formatYaml(JSON.parse(readFileSync(file.replace(/yaml$/, 'json'), 'utf8'))));
}
rmSync('dist', { recursive: true, force: true });
renameSync(newFolder, 'dist');
