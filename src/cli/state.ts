import { Command } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { callOperation } from '../control-client/call.ts';
import { type ControlFlags, createActorOption, createClient, createControlCommand, print } from './command.ts';
import { getResponseData } from './control-client.ts';
import { addsToList, parseMembers } from './members.ts';
import { createVerb } from './verbs/verb.ts';
import { formatYaml } from './yaml.ts';

type Collection = components['schemas']['Collection'];

interface WriteFlags extends ControlFlags {
  readonly jsonBody?: string;
  readonly as?: 'portal' | 'platform';
}

export function createStateCommand(): Command {
  const createWriteCommand = (name: string) =>
    createControlCommand(name)
      .option('--json-body <json>', 'the members as one JSON object, instead of key=value')
      .addOption(createActorOption());
  const collection = ['<collection>', 'accounts, users, connections, …'] as const;
  const name = 'an id, an alias or a telephone number';
  const members = [
    '[members...]',
    'key=value; key.entry=value in a map; key+=value adds a new value to a list; key=null removes the member; true, {…}, […] and "…" are JSON',
  ] as const;
  return new Command('state')
    .description(
      "Reads and changes a running kit's entities. The kit publishes events about the changes, as if the changes were made in an end-user portal or by the platform.",
    )
    .addCommand(
      createControlCommand('get')
        .description('Prints a collection, an entity, or the whole state. The whole state is YAML that xpk start --fixtures accepts.')
        .argument('[collection]', collection[1])
        .argument('[name]', name)
        .action(printState),
    )
    .addCommand(
      createWriteCommand('set')
        .description("Changes an entity's members.")
        .argument(...collection)
        .argument('<name>', name)
        .argument(...members)
        .action(changeEntity),
    )
    .addCommand(
      createWriteCommand('add')
        .description('Creates an entity. alias=… sets its alias.')
        .argument(...collection)
        .argument(...members)
        .action(createEntity),
    )
    .addCommand(createVerb('state list'))
    .addCommand(createVerb('state delete'))
    .addHelpText('afterAll', EXAMPLES);
}

const EXAMPLES = `
Examples:
  xpk state get > world.yaml
  xpk state get users ada
  xpk state set connections northwind-reception state=ACTIVE
  xpk state set experiences reception levels.globex=manage
  xpk state set clients acme-web redirectUris+=http://127.0.0.1:9000/callback
  xpk state add users alias=hedy account=northwind firstName=Hedy`;

async function printState(collection: Collection | undefined, id: string | undefined, flags: ControlFlags): Promise<void> {
  const control = createClient(flags);
  let call: Promise<{ data?: object }>;
  if (collection === undefined) call = callOperation(control, 'dumpState', {});
  else if (id === undefined) call = callOperation(control, 'listCollection', { collection });
  else call = callOperation(control, 'readEntity', { collection, id });
  print(flags, await getResponseData(call), formatYaml);
}

async function changeEntity(collection: Collection, id: string, pairs: string[], { jsonBody, as, ...flags }: WriteFlags): Promise<void> {
  const control = createClient(flags, true);
  const current = addsToList(pairs) ? await getResponseData(callOperation(control, 'readEntity', { collection, id })) : {};
  const body = parseMembers(pairs, jsonBody, current);
  print(flags, await getResponseData(callOperation(control, 'patchEntity', { collection, id, body, as })), formatYaml);
}

async function createEntity(collection: Collection, pairs: string[], { jsonBody, as, ...flags }: WriteFlags): Promise<void> {
  const values = { collection, body: parseMembers(pairs, jsonBody), as };
  print(flags, await getResponseData(callOperation(createClient(flags, true), 'createEntity', values)), formatYaml);
}
