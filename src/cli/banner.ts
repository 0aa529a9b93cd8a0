import type { LoginMode } from '../oauth/login-mode.ts';

interface Facts {
  readonly url: string;
  readonly authUrl: string;
  /** Who answers authorization requests. */
  readonly login: LoginMode;
  /** A client for each way to authenticate, as far as the world has one. */
  readonly clients: readonly { readonly alias: string; readonly id: string; readonly shows: 'client_secret' | 'client_assertion' }[];
  readonly tokens: Readonly<Record<string, string>>;
  readonly control: boolean;
  /** A telephone number of the world, if it has one: for a first call that shows something. */
  readonly number: string | undefined;
}

const LOGINS: Readonly<Record<LoginMode, string>> = {
  page: 'at a page, in the browser',
  auto: 'as the fixtures say, without a page',
  deny: 'always denied',
};

/** What a person sees who started the service: where things are, and a first call to copy. */
export function banner({ url, authUrl, login, clients, tokens, control, number }: Facts): string {
  const lines = [
    '',
    'Experience Provider Integration Service, local',
    '',
    `  API            ${url}`,
    `  contract       ${url}/openapi.json   ${url}/asyncapi.json`,
    ...(control ? [`  control API    ${url}/_control/info`] : []),
  ];
  lines.push(`  authorization  ${authUrl}   logins: ${LOGINS[login]}`);
  for (const { alias, id, shows } of clients) lines.push(`  client_id      ${id}  ${alias}, with a ${shows}`);
  const [first, ...others] = Object.keys(tokens);
  if (first !== undefined) {
    lines.push('', `  token          ${first}, the same at every start of this world:`, '', `export TOKEN=${tokens[first]}`, '');
    if (others.length > 0) lines.push(`  more tokens    xpk token NAME: ${wrapped(others)}`);
    const call = number === undefined ? '/users/unknown' : `/experience/connections?telephoneNumber=${encodeURIComponent(number)}`;
    lines.push('', `  a first call   curl "${url}${call}" -H "authorization: Bearer $TOKEN"`);
  }
  lines.push('', 'Ctrl-C stops it.', '');
  return lines.join('\n');
}

/** Names, as many to a line as fit under the column they start in. */
function wrapped(names: readonly string[]): string {
  const lines = [''];
  for (const name of names) {
    const line = lines.at(-1) as string;
    if (line.length + name.length > 80) lines.push(name);
    else lines[lines.length - 1] = line === '' ? name : `${line}, ${name}`;
  }
  return lines.join(`,\n${' '.repeat(17)}`);
}
