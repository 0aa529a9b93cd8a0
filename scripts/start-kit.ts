import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Starts the service with `npm start`, on a free port by default. Nobody is there to log in, so logins are answered automatically. */
export async function startKit(port = 0): Promise<{ url: string; stop(): Promise<void> }> {
  const child = spawn('npm', ['start', '--silent'], {
    // By default the kit allows offline_access without the scopes it belongs to; the pages keep the documented rule for clients.
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
  throw new Error('npm start ended without saying where the service is');
}
