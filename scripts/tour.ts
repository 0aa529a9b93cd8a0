// Runs the commands of the README's tour and compares what they print. `--write` puts the real output into the README.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseTour, type Step, withOutputs } from './tour/document.ts';
import { startKit } from './tour/kit.ts';
import { comparable } from './tour/normal.ts';

const DOCUMENTED = 'http://127.0.0.1:4010';
const MARK = '--- end of output ---';

/** Runs all commands of the README in one shell. @returns what each printed. */
export async function runTour(steps: readonly Step[], url: string): Promise<string[]> {
  const script = steps.map(({ command }) => `${command.replaceAll(DOCUMENTED, url)}\necho '${MARK}'`).join('\n');
  const environment = { ...process.env, XPK_URL: url };
  const shell = spawn('bash', ['-c', `exec 2>&1\n${script}`], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  for await (const chunk of shell.stdout) printed += chunk;
  return printed
    .split(`${MARK}\n`)
    .slice(0, -1)
    .map((output) => output.replaceAll(url, DOCUMENTED).replaceAll(encodeURIComponent(url), encodeURIComponent(DOCUMENTED)).trimEnd());
}

/** @returns for each step whose output differs: the command, what the README says, what came. */
export async function checkTour(file = 'README.md', write = false): Promise<{ command: string; documented: string; printed: string }[]> {
  const text = readFileSync(file, 'utf8');
  const steps = parseTour(text);
  // Tokens name the port as their issuer, and a signed text cannot be edited.
  const kit = await startKit(write ? Number(new URL(DOCUMENTED).port) : 0);
  try {
    const outputs = await runTour(steps, kit.url);
    if (write) writeFileSync(file, withOutputs(text, outputs));
    return steps
      .map(({ command, output }, index) => ({ command, documented: output, printed: outputs[index] ?? '(nothing: the shell ended)' }))
      .filter(({ documented, printed }) => comparable(documented) !== comparable(printed));
  } finally {
    await kit.stop();
  }
}

if (import.meta.main) await checkTour('README.md', process.argv.includes('--write'));
