import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

const CODE_PATTERN = /^```.*?^```$/gms;
const LINK_PATTERN = /(?:\]\(|(?:src|href)=")([^)"\s]+)/g;

/** Finds broken links and broken imports in the installed package's files. */
export function findPackedFileProblems(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => !file.startsWith('node_modules'));
  const packed = new Set(files.map((file) => join(folder, file)));
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const isPacked = (file: string, target: string) => packed.has(resolve(folder, dirname(file), target.replace(/#.*/, '')));
  const toTypes = (file: string, target: string) => (/\.d\.[cm]?ts$/.test(file) ? target.replace(/\.([cm]?)js$/, '.d.$1ts') : target);

  const links = files
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) =>
      [...read(file).replaceAll(CODE_PATTERN, '').matchAll(LINK_PATTERN)]
        .map(([, target = '']) => target)
        .filter((target) => !/^(https?:|#)/.test(target) && !isPacked(file, target))
        .map((target) => `${file} links to ${target}, which is not packed.`),
    );

  const imports = files
    .filter((file) => /\.[cm]?[jt]s$/.test(file))
    .flatMap((file) => {
      const known = listDependencies(folder, file);
      return ts
        .preProcessFile(read(file))
        .importedFiles.map(({ fileName }) => fileName)
        .filter((target) =>
          target.startsWith('.')
            ? !isPacked(file, toTypes(file, target))
            : !target.startsWith('node:') && !known.has(getPackageName(target)),
        )
        .map((target) => `${file} imports ${target}, which is not installed.`);
    });
  return [...links, ...imports];
}

const getPackageName = (specifier: string) => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

/** A file of an example may also import the example's dependencies. */
function listDependencies(folder: string, file: string): ReadonlySet<string> {
  const folders = [folder, ...globSync('examples/*/package.json', { cwd: folder }).map((path) => join(folder, dirname(path)))];
  const manifests = folders
    .filter((candidate) => join(folder, file).startsWith(candidate))
    .map((candidate) => JSON.parse(readFileSync(join(candidate, 'package.json'), 'utf8')) as Record<string, Record<string, string>>);
  const listPackages = (name: string) => manifests.flatMap((manifest) => Object.keys(manifest[name] ?? {}));
  return new Set([
    'experience-provider-kit',
    ...listPackages('dependencies'),
    ...listPackages('optionalDependencies'),
    ...listPackages('peerDependencies'),
    ...(manifests.length > 1 ? listPackages('devDependencies') : []),
    // docs/frontend.md says how to install it.
    ...(file.startsWith('examples/frontend/') ? ['openapi-fetch'] : []),
  ]);
}
