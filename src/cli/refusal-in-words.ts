/** What refusals of the control API call by the names of HTTP and of its bodies, and what that is here. */
const HERE: readonly (readonly [there: RegExp, here: string])[] = [
  [/GET \/_control\/deliveries\?state=held/g, 'xpk deliveries --state held'],
  [/GET \/_control\/clock/g, 'xpk clock --json'],
  [/GET \/_control\/(deliveries|subscriptions)/g, 'xpk $1'],
  [/GET \/_control\/requests/g, 'xpk logs'],
  [/GET \/_control\/faults/g, 'xpk fault list'],
  [/GET \/_control\/state\/(\w+)/g, 'xpk state get $1'],
  [/PUT \/_control\/snapshots\/\{name\}/g, 'xpk snapshot save NAME'],
  // Members that an option is called like.
  [/^(body|data)\/(?=\S)/, '--$1: '],
  [/^(body|type|data|count|kind|status|times|after|hold|seed|since)(?= )/, '--$1'],
  [/^headers must match pattern .*$/, 'The name of a header is one of letters, digits and hyphens, such as X-Test.'],
  [/^headers\/(\S+)(?= must)/, 'The header $1'],
  [/^scopes(?= must)/, '--scope'],
  [/^latency(Max)?Ms(?= must)/, '--latency'],
  [/^by(?= must)/, 'The duration'],
  [/^order(?= must)/, 'The order'],
  [/^order names/, 'The command names'],
  [/\bso type and data would do nothing/, 'so --type and --data would do nothing'],
  [/\bso (type|data) would do nothing/, 'so --$1 would do nothing'],
  [/\bgive type and data, or body\./, 'give --type and --data, or --body.'],
  [/^(delay|reorder) has no effect with hold/, '--$1 has no effect with --hold'],
  [
    /^The body has a seed but no reorder: add reorder, or leave seed out/,
    '--seed has no effect without --reorder: add it, or leave --seed out',
  ],
  [/\bWith allowInvalid: true\b/, 'With --allow-invalid'],
  [/\bneeds status\./, 'needs --status.'],
  [/\bneeds latencyMs\./, 'needs --latency.'],
  [/\bcannot have headers\./, 'cannot have --header.'],
  [/\bcannot have latency\w+\./, 'cannot have --latency.'],
  [/\bcannot have (status|undocumented|body)\./, 'cannot have --$1.'],
  [/^latencyMaxMs cannot be less than latencyMs\./, 'A range of --latency begins with its lower end.'],
  [/^A seed (.*) probability or latencyMaxMs\./, '--seed $1 --probability or a range of --latency.'],
  [/\bset undocumented to true\./, 'give --undocumented.'],
];

interface Refused {
  readonly detail: string;
  readonly errors?: readonly FieldError[] | undefined;
}

/** As a problem has it that anybody may have written. */
interface FieldError {
  readonly pointer?: unknown;
  readonly message?: unknown;
}

/** Why the control API refused, to somebody who gave options and not a body. */
export function refusalInWords({ detail, errors = [] }: Refused): string {
  const said = HERE.reduce((text, [there, here]) => text.replace(there, here), detail);
  // The detail has the first of them; the others are in the answer, which nobody sees.
  return said.replace(/ \(\d+ problems in all, see errors\.\)$/, () => errors.slice(1).map(line).join(''));
}

function line({ pointer = '', message }: FieldError): string {
  return `\n  ${pointer === '' ? '' : `${pointer}: `}${message}`;
}
