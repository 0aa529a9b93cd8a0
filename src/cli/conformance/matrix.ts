import { mkdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { formatBadge } from '../../report/badge.ts';
import { formatMatrixPage } from '../../report/html/matrix.ts';
import { createMatrix, type RuleChange } from '../../report/matrix.ts';
import { parseResults } from '../../report/read-results.ts';
import { writeTextFile } from '../../report/write-reports.ts';
import { readText } from '../../world/source.ts';
import { print } from '../command.ts';

interface MatrixFlags {
  readonly output: string;
  readonly json?: boolean;
}

/** Writes a page about several runs, and a badge for each version and for the newest version of each target. */
export async function writeMatrix(paths: readonly string[], { output, json }: MatrixFlags): Promise<void> {
  const targets = createMatrix(await Promise.all(paths.map(async (path) => parseResults(await readText(path), path))));
  const files = new Map([[`index.html`, formatMatrixPage(targets)]]);
  for (const { name, runs } of targets) {
    for (const run of runs) files.set(`${toFileName(`${name}-${run.version}`)}.svg`, formatBadge(run));
    files.set(`${toFileName(name)}.svg`, formatBadge(runs.at(-1)!));
  }
  await mkdir(output, { recursive: true });
  for (const [name, text] of files) await writeTextFile(join(output, name), text);
  const summary = targets.map(({ name, runs }) => ({
    name,
    runs: runs.map(({ version, date, succeeded, totals: { passed, inScope }, broken, fixed }) => {
      const listRules = (changes: readonly RuleChange[]) => changes.map(({ rule }) => rule);
      return { version, date, succeeded, passed, inScope, broken: listRules(broken), fixed: listRules(fixed) };
    }),
  }));
  print({ json: json === true }, { folder: output, files: [...files.keys()], targets: summary }, () => {
    const lines = summary.flatMap(({ name, runs }) =>
      runs.map(({ version, passed, inScope, broken, fixed }) => {
        const changes = [
          ...(broken.length > 0 ? [`broke ${broken.join(', ')}`] : []),
          ...(fixed.length > 0 ? [`fixed ${fixed.join(', ')}`] : []),
        ];
        return [`${name} ${version}: ${passed} of ${inScope}`, ...changes].join('; ');
      }),
    );
    return [...lines, `Wrote ${relative(process.cwd(), join(output, 'index.html'))} and ${files.size - 1} badges.`].join('\n');
  });
}

const toFileName = (text: string): string => text.replace(/^https?:\/\//, '').replace(/[^\w.-]+/g, '-');
