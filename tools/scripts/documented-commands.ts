// Runs the commands in README.md, docs/*.md and docs/agents/*.md, and compares their output with the pages. `--write` updates the pages.
import { spawn } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createKit } from '../../src/kit.ts';

/** A command, including its continuation lines (`> …`), and its output on the page. */
interface Step {
  readonly command: string;
  readonly output: string;
}

interface Difference extends Step {
  readonly page: string;
  readonly printed: string;
}

const CONSOLE_CODE_BLOCK = /```console\n([\s\S]*?)```/g;
const DOCUMENTED_ADDRESS = 'http://127.0.0.1:4010';
const END_MARKER = '--- end of output ---';
/** Runs the build instead of npx, because npx would first install the package. */
const NPX_FUNCTION = `npx() { if [ "$1" = xpk ]; then shift; '${process.execPath}' src/cli/xpk.cjs "$@"; else command npx "$@"; fi; }`;

export const pagesWithCommands = ['README.md', ...globSync('docs/{*,agents/*}.md').sort()].filter((page) =>
  readFileSync(page, 'utf8').includes('```console'),
);

function parseSteps(block: string): Step[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [first = '', ...lines] = part.trimEnd().split('\n');
      const end = lines.findIndex((line) => !line.startsWith('> '));
      const continued = end === -1 ? lines : lines.slice(0, end);
      return { command: [first, ...continued.map((line) => line.slice(2))].join('\n'), output: lines.slice(continued.length).join('\n') };
    });
}

/** Runs all commands in one shell, against the kit at `url`. */
async function runSteps(steps: readonly Step[], url: string): Promise<string[]> {
  const script = steps.map(({ command }) => `${command.replaceAll(DOCUMENTED_ADDRESS, url)}\necho '${END_MARKER}'`).join('\n');
  // Unset NODE_TEST_CONTEXT. Otherwise, a started test runner would skip all test files.
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
  const shell = spawn('bash', ['-c', `exec 2>&1\n${NPX_FUNCTION}\n${script}`], {
    env: { ...environment, XPK_URL: url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  for await (const chunk of shell.stdout) printed += chunk;
  const outputs = printed.split(`${END_MARKER}\n`).slice(0, -1);
  return outputs.map((output) =>
    output
      .replaceAll(url, DOCUMENTED_ADDRESS)
      .replaceAll(encodeURIComponent(url), encodeURIComponent(DOCUMENTED_ADDRESS))
      .replaceAll(/^\s*\n/gm, '')
      .trimEnd(),
  );
}

/** @returns the commands whose output differs from the page */
export async function checkPage(page: string, write = false): Promise<Difference[]> {
  const text = readFileSync(page, 'utf8');
  const steps = [...text.matchAll(CONSOLE_CODE_BLOCK)].flatMap(([, block = '']) => parseSteps(block));
  // The signed tokens on a page contain the port of the documented address.
  const port = write ? Number(new URL(DOCUMENTED_ADDRESS).port) : 0;
  // Make the kit refuse a login with `offline_access` alone, because a rule for clients forbids such a login.
  await using kit = await createKit({ port, login: 'auto', set: { 'oauth.offline-access-alone': 'refused' } });
  const outputs = await runSteps(steps, kit.url);
  const results = steps.map((step, index) => ({ page, ...step, printed: outputs[index] ?? '(no output, because the shell ended)' }));
  const isSame = ({ output, printed }: Difference) => replaceVariableValues(output) === replaceVariableValues(printed);
  if (write) {
    const kept = results.map((result) => (isSame(result) ? result.output : result.printed));
    writeFileSync(page, replaceOutputs(text, kept));
  }
  return results.filter((result) => !isSame(result));
}

function replaceOutputs(text: string, outputs: readonly string[]): string {
  let next = 0;
  return text.replace(CONSOLE_CODE_BLOCK, (_, block: string) => {
    const lines = parseSteps(block).flatMap(({ command }) => [`$ ${command.replaceAll('\n', '\n> ')}`, outputs[next++] || []].flat());
    return `\`\`\`console\n${lines.join('\n')}\n\`\`\``;
  });
}

export function replaceVariableValues(text: string): string {
  return text
    .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
    .replace(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/g, '<time>')
    .replace(/\b\d{2}:\d{2}:\d{2}\.\d{3}\b/g, '<time>')
    .replace(/\d+ ms\b/g, '<duration>')
    .replace(/"traceId":"[0-9a-f]{32}"/g, '"traceId":"<trace>"')
    .replace(/whsec_[\w+/]+=*/g, '<secret>')
    .replace(/("cursor"|"refresh_token"):"[\w-]+"/g, '$1:"<opaque>"')
    .replace(/127\.0\.0\.1:\d+\/events/g, '127.0.0.1:<port>/events')
    .replace(/([?&]code=)[\w-]+/g, '$1<code>')
    .replace(/\d+(\.\d+)? s\b/g, '<duration>')
    .trimEnd();
}

if (import.meta.main) for (const page of pagesWithCommands) await checkPage(page, process.argv.includes('--write'));
