import pg from 'pg';
import { StoreUnavailable } from '../errors.ts';

/** Returns the database's name in messages, without secrets. */
export function describeDatabase(url: string): string {
  const { host, user, database, port } = new pg.Client({ connectionString: url });
  return `the PostgreSQL database "${database}" at ${host}:${port} (user "${user}")`;
}

const CONNECTION_PROBLEMS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at this address. Start the server, or correct the host and port.',
  ENOTFOUND: 'there is no host with this name. Correct the host name.',
  EAI_AGAIN: 'the host name cannot be looked up at the moment.',
  ETIMEDOUT: 'the server does not respond.',
  '28P01': 'the password was refused.',
  '28000': 'the server does not allow this user to connect.',
  '3D000': 'there is no database with this name. Create it first, with the encoding UTF8.',
  '53300': "all of the server's connections are in use.",
};

/** Explains a driver error, without its `cause`, which can contain the password. */
export function explainDriverError(error: unknown, url: string, description: string): Error {
  if (error instanceof StoreUnavailable) return error;
  const { code, message } = (error instanceof AggregateError ? error.errors[0] : error) as { code?: string; message?: string };
  const cause = CONNECTION_PROBLEMS[/timeout/i.test(String(message)) ? 'ETIMEDOUT' : (code ?? '')];
  return new Error(`Cannot use ${description}: ${cause ?? `${maskSecrets(String(message), url)}.`}`);
}

/** Masks the URL and `user:password@`, but not the password alone, because masking a common word would reveal that it is the password. */
export function maskSecrets(message: string, url: string): string {
  const { user = '', password } = new pg.Client({ connectionString: url });
  const { username, password: encoded } = new URL(url);
  const secrets = [url, `${username}:${encoded}@`, `${user}:${password}@`];
  return secrets.reduce((text, secret) => text.replaceAll(secret, '***'), message);
}
