import { execFile, execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { startServer } from '../../src/store/testing/postgres.ts';
import { type Cluster, disturbReplicas } from './cluster.ts';
import type { Report } from './report.ts';

const FREEZE_MS = 20_000;
/** The longest acceptable response time during an outage, in milliseconds of wall time. */
const MAX_ANSWER_MS = 3000;
const LOAD_DURATION_MS = 8000;

/** Restarts, freezes and disconnects PostgreSQL. Three replicas under load must recover without a restart. */
export async function breakDatabase(log: (line: string) => void): Promise<Report> {
  const server = await startServer();
  const connectAsAdmin = () => connect(`${server}/postgres`);
  const client = await connectAsAdmin();
  await client.query('create database chaos');
  const { rows } = await client.query<{ folder: string; program: string }>(
    "select current_setting('data_directory') as folder, (select setting from pg_config where name = 'BINDIR') as program",
  );
  const [{ folder, program }] = rows as [{ folder: string; program: string }];
  await client.end();

  const outages: Readonly<Record<string, () => Promise<void>>> = {
    restart: () => runPgCtl(program, folder, 'restart'),
    async freeze() {
      const processes = listProcessIds(folder);
      for (const id of processes) process.kill(id, 'SIGSTOP');
      try {
        await pause(FREEZE_MS);
      } finally {
        for (const id of processes) process.kill(id, 'SIGCONT');
      }
    },
    async disconnect() {
      const terminating = await connectAsAdmin();
      await terminating.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = 'chaos'");
      await terminating.end();
    },
  };
  try {
    // During an outage, the replicas log many errors as JSON.
    const logUnlessJson = (line: string) => void (line.startsWith('{') || log(line));
    return await disturbReplicas(`${server}/chaos`, logUnlessJson, async ({ ledger, progress }: Cluster) => {
      const counts: Record<string, number> = {};
      const problems: Record<string, string[]> = { 'late responses': [], 'no recovery': [], 'requests without a response': [] };
      for (const [name, causeOutage] of Object.entries(outages)) {
        await pause(LOAD_DURATION_MS);
        const [unavailable, cutOff] = [ledger.unavailable, ledger.cutOff];
        ledger.slowestMs = 0;
        await causeOutage();
        const acknowledged = ledger.acknowledged;
        await pause(LOAD_DURATION_MS);
        const slowest = Math.round(ledger.slowestMs);
        counts[`${name}: responses with 503`] = ledger.unavailable - unavailable;
        counts[`${name}: slowest response in ms`] = slowest;
        if (slowest > MAX_ANSWER_MS) problems['late responses']!.push(`${name}: ${slowest} ms`);
        if (ledger.acknowledged === acknowledged) problems['no recovery']!.push(name);
        if (ledger.cutOff > cutOff) problems['requests without a response']!.push(`${name}: ${ledger.cutOff - cutOff}`);
        log(`${name}: ${progress()}`);
      }
      return { counts, problems };
    });
  } finally {
    // The helper that started the original server cannot stop the restarted server.
    await runPgCtl(program, folder, 'stop').catch(() => {});
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Runs pg_ctl as the data folder's owner, because PostgreSQL refuses to run as root. */
async function runPgCtl(program: string, folder: string, command: 'restart' | 'stop'): Promise<void> {
  const { uid, gid } = statSync(folder);
  const args = [command, '-m', 'immediate', '-D', folder, '-l', join(folder, 'restarted.log')];
  await promisify(execFile)(join(program, 'pg_ctl'), args, { cwd: dirname(folder), uid, gid, timeout: 60_000 });
}

function listProcessIds(folder: string): number[] {
  const postmaster = execFileSync('head', ['-1', join(folder, 'postmaster.pid')], { encoding: 'utf8' }).trim();
  const children = execFileSync('pgrep', ['-P', postmaster], { encoding: 'utf8' });
  return [postmaster, ...children.trim().split('\n')].map(Number);
}
