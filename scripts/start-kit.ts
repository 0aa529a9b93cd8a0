import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Starts the service with `npm start`, on a free port by default. Logins are approved automatically. */
export async function startKit(port = 0): Promise<{ url: string; stop(): Promise<void> }> {
  const child = spawn('npm', ['start', '--silent'], {
    // By default the kit allows offline_access alone. The pages follow the documented rule for clients, which requires other scopes with it.
    env: { ...process.env, XPK_PORT: String(port), XPK_LOGIN: 'auto', XPK_SET: 'oauth.offline-access-alone=refused' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    if (child.exitCode === null) process.kill(-(child.pid as number), 'SIGTERM');
    await ended;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^ {2}API +(\S+)/.exec(line)?.[1];
    if (url !== undefined) {
      child.stdout.resume();
      return { url, stop };
    }
  }
  throw new Error('npm start ended before it printed the URL of the API');
}
