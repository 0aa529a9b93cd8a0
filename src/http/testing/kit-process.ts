import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { XPK_FILE } from '../../testing/tested-package.ts';

export function startKitProcess(args: readonly string[], env: Readonly<Record<string, string>>) {
  const command = [XPK_FILE, 'start', '--port', '0', '--log-level', 'debug', '--json', ...args];
  const child = spawn(process.execPath, command, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
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
  exit.then((code) =>
    first.reject(new Error(`xpk start ended with exit code ${code} before it printed its first line: ${written.stderr}`)),
  );
  first.promise.catch(() => {});
  return {
    started: async (): Promise<{ url: string; tokens: Record<string, string> }> => JSON.parse(await first.promise),
    /** The output to stdout after the first line, and the output to stderr. */
    written,
    async stop(signal?: 'SIGKILL'): Promise<void> {
      child.kill(signal);
      await exit;
    },
  };
}
