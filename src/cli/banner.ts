/** What a person sees who started the service: where things are, and a first call to copy. */
export function banner(url: string, tokens: Readonly<Record<string, string>>, control: boolean): string {
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
    lines.push('', '  a first call   curl -s ' + `${url}/users/${'unknown'} -H "authorization: Bearer $TOKEN"`);
  }
  lines.push('', 'Ctrl-C stops it.', '');
  return lines.join('\n');
}

/** Names, as many to a line as fit under the column they start in. */
function wrapped(names: readonly string[]): string {
  const lines = [''];
  for (const name of names) {
    if ((lines.at(-1) ?? '').length + name.length > 80) lines.push('');
    lines[lines.length - 1] += lines.at(-1) === '' ? name : `, ${name}`;
  }
  return lines.join(`\n${' '.repeat(17)}`);
}
