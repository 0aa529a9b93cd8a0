import { Command, Option } from 'commander';
import { stringify } from 'yaml';
import { type ControlFlags, clientOf, controlCommand, pathOf, print } from './control-options.ts';
import { addsToList, membersOf } from './members.ts';

interface WriteFlags extends ControlFlags {
  jsonBody?: string;
  as?: 'portal' | 'platform';
}

/** `xpk state`: the entities of a running kit, read and written as a portal or the platform would. */
export function stateCommand(): Command {
  const writing = (name: string) =>
    controlCommand(name)
      .option('--json-body <json>', 'the members as one JSON object, in place of key=value')
      .addOption(new Option('--as <who>', 'who acts; the kit knows who usually does').choices(['portal', 'platform']));
  const collection = ['<collection>', 'accounts, users, connections, …'] as const;
  const members = [
    '[members...]',
    'key=value; key.entry=value in a map; key+=value adds to a list if it is not there; null removes; true, {…}, […] and "…" are JSON',
  ] as const;
  return new Command('state')
    .description('Reads and changes the entities of a running kit. What changes is published, as by an end-user portal or the platform.')
    .addCommand(
      controlCommand('get')
        .description('Prints the whole state as a world, in YAML that xpk start --fixtures takes; or a collection of it; or one entity.')
        .argument('[collection]', collection[1])
        .argument('[name]', 'an id, an alias or a telephone number')
        .action(get),
    )
    .addCommand(
      writing('set')
        .description('Changes members of an entity.')
        .argument(...collection)
        .argument('<name>', 'an id, an alias or a telephone number')
        .argument(...members)
        .action(set),
    )
    .addCommand(
      writing('add')
        .description('Creates an entity; alias=… names it.')
        .argument(...collection)
        .argument(...members)
        .action(add),
    )
    .addHelpText('after', EXAMPLES);
}

const EXAMPLES = `
Examples:
  xpk state get > world.yaml
  xpk state get users ada
  xpk state set connections northwind-reception state=ACTIVE
  xpk state set experiences reception levels.globex=manage
  xpk state set clients acme-web redirectUris+=http://127.0.0.1:9000/callback
  xpk state add users alias=hedy account=northwind firstName=Hedy`;

async function get(collection: string | undefined, name: string | undefined, flags: ControlFlags): Promise<void> {
  const parts = [collection, name].filter((part) => part !== undefined);
  print(flags, await clientOf(flags).get<object>(`/state${pathOf(...parts)}`), inWords);
}

async function set(collection: string, name: string, pairs: string[], flags: WriteFlags): Promise<void> {
  const control = clientOf(flags);
  const path = `/state${pathOf(collection, name)}`;
  const current = addsToList(pairs) ? await control.get<object>(path) : {};
  print(flags, await control.patch<object>(`${path}${queryOf(flags)}`, membersOf(pairs, flags.jsonBody, current)), inWords);
}

async function add(collection: string, pairs: string[], flags: WriteFlags): Promise<void> {
  const path = `/state${pathOf(collection)}${queryOf(flags)}`;
  print(flags, await clientOf(flags).post<object>(path, membersOf(pairs, flags.jsonBody)), inWords);
}

function queryOf({ as }: WriteFlags): string {
  return as === undefined ? '' : `?as=${as}`;
}

/** The form of worlds. */
function inWords(answer: object): string {
  return stringify(answer, { lineWidth: 0 }).trimEnd();
}
