/** The suite's checks of each rule. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** By rule, the files with checks of it, each with how many there are (in one form of the paths). */
export type Checks = ReadonlyMap<string, ReadonlyMap<string, number>>;

interface Listed {
  readonly suites?: readonly Listed[];
  readonly specs?: readonly {
    file: string;
    title: string;
    tests: readonly { annotations: readonly { type: string; description?: string }[] }[];
  }[];
}

/** @throws Error with Playwright's message if the suite below `root` does not load. */
export function readChecks(root: string): Checks {
  return countChecks(listChecks(root));
}

function listChecks(root: string): Listed {
  const config = join(root, 'conformance/playwright.config.ts');
  const cli = join(root, 'node_modules/@playwright/test/cli.js');
  const { stdout } = spawnSync(process.execPath, [cli, 'test', '--list', '--reporter', 'json', '--config', config], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  const report = JSON.parse(stdout) as Listed & { errors: readonly { message: string }[] };
  if (report.errors.length > 0) throw new Error(`The suite does not load: ${report.errors.map(({ message }) => message).join('\n')}`);
  return report;
}

function countChecks(listed: Listed): Checks {
  const checks = new Map<string, Map<string, number>>();
  const seen = new Set<string>();
  for (const { file, title, tests } of specsOf(listed)) {
    if (seen.has(`${file} ${title}`)) continue;
    seen.add(`${file} ${title}`);
    for (const { type, description = '' } of tests[0]?.annotations ?? []) {
      if (type !== 'rule') continue;
      const files = checks.get(description) ?? new Map<string, number>();
      checks.set(description, files.set(file, (files.get(file) ?? 0) + 1));
    }
  }
  return checks;
}

function specsOf({ suites = [], specs = [] }: Listed): NonNullable<Listed['specs']> {
  return [...specs, ...suites.flatMap(specsOf)];
}
