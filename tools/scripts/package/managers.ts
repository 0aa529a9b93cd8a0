import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from '../installed-package.ts';
import { checkRequire, checkStart, type Project } from './use.ts';

const MANAGERS = [
  { name: 'pnpm', program: 'pnpm/bin/pnpm.mjs', source: 'pnpm@12.21.0' },
  { name: 'Yarn 1', program: 'yarn/bin/yarn.js', source: 'yarn@1.22.22' },
  { name: 'Yarn 4', program: '@yarnpkg/cli-dist/bin/yarn.js', source: '@yarnpkg/cli-dist@4.18.1' },
];

/** Installs the package with other package managers than npm. @throws Error if it does not start there, or if createKit does not work */
export async function checkManagers(tarball: string, folder: string): Promise<void> {
  const tools = join(folder, 'managers');
  mkdirSync(tools);
  writeFileSync(join(tools, 'package.json'), '{"private":true}');
  runNpm(tools, 'install', '--ignore-scripts', ...MANAGERS.map(({ source }) => source));
  for (const { name, program } of MANAGERS) {
    const project: Project = {
      folder: join(folder, name),
      installed: join(folder, name, 'node_modules/experience-provider-kit'),
      node: process.execPath,
    };
    mkdirSync(project.folder);
    writeFileSync(join(project.folder, 'package.json'), '{"private":true}');
    // Without these files, Yarn 4 would search for a project in the parent folders, and would install no `node_modules`.
    writeFileSync(join(project.folder, 'yarn.lock'), '');
    writeFileSync(join(project.folder, '.yarnrc.yml'), 'nodeLinker: node-modules\nenableTelemetry: false\n');
    const args = [join(tools, 'node_modules', program), 'add', `experience-provider-kit@file:${tarball}`];
    execFileSync(process.execPath, args, { cwd: project.folder, stdio: ['ignore', 'ignore', 'inherit'] });
    await checkStart(project);
    checkRequire(project);
    console.log(`Installed with ${name}: xpk start and createKit work`);
  }
}
