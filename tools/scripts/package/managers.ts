import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from '../installed-package.ts';
import { measure } from './measure.ts';
import { installTools, type Tool } from './runtimes.ts';
import { checkClient, checkConformance, checkExploration, checkLibrary, checkStart, copyPrograms, type Project } from './use.ts';

/** With Playwright, which is optional. */
const MAX_PACKAGES = 10;
const MAX_MEGABYTES = 40;
const FAILED = '✗';

type Row = Record<string, string | number>;

/**
 * Uses the package with each package manager under each line of Node.js, and prints a table. Only npm's row has the oldest Node.js, bun and
 * Deno, because package managers differ only in the folders that they create.
 * @param npmProject has the compiled programs
 * @throws Error if anything does not work, or if an installation is too large
 */
export async function checkManagers(npmProject: Project, tarball: string, folder: string): Promise<void> {
  const { nodes, runtimes, managers } = installTools();
  const npm = `npm ${runNpm('.', '--version').trim()}`;
  const row = createRow(npm, npmProject);
  const table = { [npm]: row };
  // The other tests of the repository run on this process's Node.js.
  for (const node of nodes) await fillCell(row, npmProject, node, node.command[0] === process.execPath ? checkFirstRule : checkEverything);
  for (const runtime of runtimes) await fillCell(row, npmProject, runtime, checkFirstRule);
  for (const manager of managers) {
    const project = install(manager, tarball, join(folder, manager.name));
    const row = createRow(manager.name, project);
    table[manager.name] = row;
    copyPrograms(npmProject.folder, project.folder);
    for (const node of nodes.slice(-3)) await fillCell(row, project, node, checkFirstRule);
  }
  console.table(table);
  if (Object.values(table).some((row) => Object.values(row).includes(FAILED))) throw new Error('The package does not work everywhere.');
}

function createRow(name: string, { installed }: Project): Row {
  const { packages, megabytes } = measure(join(installed, '..'));
  if (packages > MAX_PACKAGES || megabytes > MAX_MEGABYTES)
    throw new Error(`${name} installs ${packages} packages with ${megabytes} MB. The limits are ${MAX_PACKAGES} and ${MAX_MEGABYTES} MB.`);
  return { packages, MB: megabytes };
}

async function fillCell(row: Row, project: Project, { name, command }: Tool, check: (project: Project) => Promise<void>): Promise<void> {
  try {
    await check({ ...project, runtime: command });
    row[name] = '✓';
  } catch (error) {
    console.error(`In ${project.folder}, under ${name}:`, error);
    row[name] = FAILED;
  }
}

async function checkFirstRule(project: Project): Promise<void> {
  await checkStart(project);
  checkLibrary(project);
  checkConformance(project);
}

async function checkEverything(project: Project): Promise<void> {
  await checkStart(project);
  checkLibrary(project);
  checkClient(project);
  checkExploration(project);
}

function install({ command: [file, ...args] }: Tool, tarball: string, folder: string): Project {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  // Without these files, Yarn 4 would search for a project in the parent folders, and would install no `node_modules`.
  writeFileSync(join(folder, 'yarn.lock'), '');
  writeFileSync(join(folder, '.yarnrc.yml'), 'nodeLinker: node-modules\nenableTelemetry: false\n');
  execFileSync(file, [...args, 'add', `experience-provider-kit@file:${tarball}`], { cwd: folder, stdio: 'pipe' });
  return { folder, installed: join(folder, 'node_modules/experience-provider-kit'), runtime: [process.execPath] };
}
