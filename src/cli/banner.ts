interface Facts {
  readonly url: string;
  readonly tokens: Readonly<Record<string, string>>;
  readonly control: boolean;
  /** A telephone number of the world, if it has one: for a first call that shows something. */
  readonly number: string | undefined;
}

/** What a person sees who started the service: where things are, and a first call to copy. */
export function banner({ url, tokens, control, number }: Facts): string {
  const lines = [
    '',
    'Experience Provider Integration Service, local',
    '',
    `  API            ${url}`,
    `  contract       ${url}/openapi.json   ${url}/asyncapi.json`,
    ...(control ? [`  control API    ${url}/_control/info`] : []),
  ];
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
