/** What the suite has for each rule: its checks, and the saboteurs that they catch. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface Teeth {
  /** By rule, the files with checks of it, each with how many there are (those of one form). */
  readonly checks: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** By rule, what each saboteur does, or why there is none. */
  readonly saboteurs: ReadonlyMap<string, readonly string[]>;
}

interface Listed {
  readonly suites?: readonly Listed[];
  readonly specs?: readonly {
    file: string;
    title: string;
    tests: readonly { annotations: readonly { type: string; description?: string }[] }[];
  }[];
}

/** Reads the suite below `root`, which has to load. @throws Error saying what Playwright says where it does not. */
export async function readTeeth(root: string): Promise<Teeth> {
  const { registered, without } = (await import(pathToFileURL(join(root, 'conformance/proof/mutants/registry.ts')).href)) as {
    registered: readonly { rule: string; does: string }[];
    without: Readonly<Record<string, string>>;
  };
  const saboteurs = new Map<string, string[]>(Object.entries(without).map(([rule, reason]) => [rule, [`none: ${reason}`]]));
  for (const { rule, does } of registered) saboteurs.set(rule, [...(saboteurs.get(rule) ?? []), does]);
  return { checks: countChecks(listChecks(root)), saboteurs };
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

function countChecks(listed: Listed): Map<string, Map<string, number>> {
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
