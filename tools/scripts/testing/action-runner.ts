// Runs a composite action as a GitHub Actions runner does, but only records the steps that use other actions.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parse } from 'yaml';

interface Step {
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly required?: boolean; readonly default?: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

interface ActionResult {
  readonly success: boolean;
  readonly output: string;
  readonly summary: string;
  readonly used: readonly { readonly uses: string; readonly with: Readonly<Record<string, string>> }[];
}

/**
 * @param workspace the folder of the project that uses the action
 * @throws Error for an unknown input, or for an invalid action
 */
export async function runAction(
  file: string,
  workspace: string,
  inputs: Readonly<Record<string, string>>,
  environment: NodeJS.ProcessEnv,
): Promise<ActionResult> {
  const action = parse(readFileSync(file, 'utf8')) as Action;
  const unknown = Object.keys(inputs).find((name) => !(name in action.inputs));
  if (unknown !== undefined) throw new Error(`${file} has no input ${unknown}`);
  const temp = mkdtempSync(join(workspace, 'runner-'));
  const summaryFile = join(temp, 'summary.md');
  const values: Record<string, string> = { 'runner.temp': temp, 'github.run_id': '1', 'github.run_attempt': '1' };
  for (const [name, input] of Object.entries(action.inputs)) values[`inputs.${name}`] = inputs[name] ?? input.default ?? '';

  const substituteExpressions = (members: object = {}): Record<string, string> =>
    Object.fromEntries(
      Object.entries(members).map(([name, value]) => [
        name,
        String(value).replace(/\$\{\{ *(.*?) *\}\}/g, (_, expression: string) => {
          if (!(expression in values)) throw new Error(`This test runner does not support the expression ${expression}`);
          return values[expression] as string;
        }),
      ]),
    );

  let success = true;
  let output = '';
  const used: ActionResult['used'][number][] = [];
  for (const step of action.runs.steps) {
    const [condition, input] = /^always\(\)(?: && inputs\.([\w-]+) == 'true')?$/.exec(step.if ?? '') ?? [];
    if (step.if !== condition) throw new Error(`This test runner does not support the condition ${step.if}`);
    if (input !== undefined && values[`inputs.${input}`] !== 'true') continue;
    if (!success && step.if === undefined) continue;
    if (step.uses !== undefined) used.push({ uses: step.uses, with: substituteExpressions(step.with) });
    if (step.run === undefined) continue;
    if (step.shell !== 'bash' || step.run.includes('${{'))
      throw new Error('A script must use the bash shell, and must not contain expressions');
    const env = {
      ...environment,
      ...substituteExpressions(step.env),
      GITHUB_ACTION_PATH: resolve(dirname(file)),
      GITHUB_STEP_SUMMARY: summaryFile,
    };
    const ran = await runScript(step.run, workspace, env);
    output += ran.output;
    success &&= ran.status === 0;
  }
  return { success, output, summary: existsSync(summaryFile) ? readFileSync(summaryFile, 'utf8') : '', used };
}

/** Runs a script as GitHub and GitLab do: it stops at the first command that fails. */
export async function runScript(
  script: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly status: number | null; readonly output: string }> {
  const shell = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', `exec 2>&1\n${script}`], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [status]] = await Promise.all([text(shell.stdout), once(shell, 'close') as Promise<[number | null]>]);
  return { status, output };
}
