// Builds dist. docs/decisions/0005 contains the reasons. The `prepare` script in tools/runtime/package.json runs this file with plain Node.
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { formatYaml } from '../../src/http/published-document.ts';
import { listPackagedFixtures } from '../../src/world/package-files.ts';
import { readWorld } from '../../src/world/yaml.ts';
import { bundle } from './build/bundle.ts';
import { listBundledPackages } from './build/bundled-packages.ts';
import { writeCommonJsModules } from './build/commonjs.ts';
import { buildConsole } from './build/console.ts';
import { createNotices } from './build/notices.ts';
import { createSbom } from './build/sbom.ts';
import { bundleTypes } from './build/types.ts';

// Build into a new folder first, so that a failed build does not damage the previous build.
const newFolder = 'dist.new';

rmSync(newFolder, { recursive: true, force: true });
const inputs = await Promise.all([bundle(newFolder), buildConsole(`${newFolder}/console`), bundleTypes(newFolder)]);
writeCommonJsModules(newFolder);
const packages = listBundledPackages(inputs.flat());
writeFileSync(`${newFolder}/THIRD-PARTY-NOTICES.txt`, createNotices(packages));
writeFileSync(`${newFolder}/sbom.cdx.json`, JSON.stringify(createSbom(packages), undefined, 2));
mkdirSync(`${newFolder}/worlds`);
for (const name of await listPackagedFixtures('world')) {
  const { world, rows } = await readWorld(name);
  writeFileSync(`${newFolder}/worlds/${name}.json`, JSON.stringify({ world, rows }));
}
for (const path of Object.values(packageJson.exports)) {
  if (typeof path !== 'string' || !path.startsWith('./dist/')) continue;
  const source = path.replace('./dist/', '').replace(/yaml$/, 'json');
  if (path.endsWith('.json')) cpSync(source, join(newFolder, source));
  else writeFileSync(path.replace('./dist', newFolder), await formatYaml(JSON.parse(readFileSync(source, 'utf8'))));
}
rmSync('dist', { recursive: true, force: true });
renameSync(newFolder, 'dist');
