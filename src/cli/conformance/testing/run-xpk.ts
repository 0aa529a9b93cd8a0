import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Results, Verdict } from '../../../contract/generated/results.ts';
import { XPK_FILE } from '../../../testing/tested-package.ts';
import { run } from '../../testing/run.ts';

export interface FinishedRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly results: Results;
}

/** @param onStart gets a function that interrupts the run, by default with SIGINT */
export async function runXpk(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  onStart: (interrupt: (signal?: NodeJS.Signals) => void) => void = () => {},
  command: readonly string[] = ['conformance'],
): Promise<FinishedRun> {
  const reports = mkdtempSync(join(tmpdir(), 'xpk-run-'));
  const { XPK_TOKEN: _, ...inherited } = process.env;
  const child = spawn(process.execPath, [XPK_FILE, ...command, '--report-dir', reports, ...args], {
    env: { ...inherited, ...environment },
  });
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.on('data', (chunk) => out.push(String(chunk)));
  child.stderr.on('data', (chunk) => err.push(String(chunk)));
  onStart((signal = 'SIGINT') => void child.kill(signal));
  try {
    const status = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { status, stdout: out.join(''), stderr: err.join(''), results: readResults(reports) };
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
}

export async function runXpkInProcess(command: readonly string[], args: readonly string[]): Promise<FinishedRun> {
  const reports = mkdtempSync(join(tmpdir(), 'xpk-run-'));
  try {
    return { ...(await run(...command, '--report-dir', reports, ...args)), results: readResults(reports) };
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
}

const readResults = (reports: string) => JSON.parse(readFileOrDefault(join(reports, 'results.json'), '{}')) as Results;

function readFileOrDefault(path: string, defaultText: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return defaultText;
  }
}

export function listVerdicts({ results }: FinishedRun): Readonly<Record<string, Verdict>> {
  return Object.fromEntries(results.rules.map(({ id, verdict }) => [id, verdict]));
}
