import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export interface KitProcess {
  /** The one line that `xpk start --json` prints. Rejects when the process ends before. */
  started(): Promise<{ readonly url: string; readonly tokens: Readonly<Record<string, string>> }>;
  /** What it wrote to stdout behind that line, and to stderr. */
  readonly written: { stdout: string; stderr: string };
  /** Lets it end as Ctrl-C does. */
  stop(): Promise<void>;
  readonly exit: Promise<number | null>;
}

/** `xpk start` as a process of its own, as its users run it. */
export function startKitProcess(args: readonly string[], env: Readonly<Record<string, string>>): KitProcess {
  const command = ['--import', 'tsx', 'src/cli/main.ts', 'start', '--port', '0', '--log-level', 'debug', '--json', ...args];
  const child = spawn(process.execPath, command, { cwd: ROOT, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const written = { stdout: '', stderr: '' };
  const first = Promise.withResolvers<string>();
  let all = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    all += text;
    const end = all.indexOf('\n');
    if (end < 0) return;
    first.resolve(all.slice(0, end));
    written.stdout = all.slice(end + 1);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    written.stderr += text;
  });
  const exit = once(child, 'close').then(([code]) => code as number | null);
  exit.then((code) => first.reject(new Error(`the kit ended with ${code} before it was up: ${written.stderr}`)));
  first.promise.catch(() => {});
  return {
    started: async () => JSON.parse(await first.promise),
    written,
    exit,
    async stop() {
      child.kill('SIGTERM');
      await exit;
    },
  };
}
