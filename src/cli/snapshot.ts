import { Command } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { type ControlFlags, createClient, createControlCommand, print } from './command.ts';
import { getResponseData } from './control-client.ts';
import { formatCounts, formatTable } from './format.ts';

type Snapshot = components['schemas']['Snapshot'];

export function createResetCommand(): Command {
  return createControlCommand('reset')
    .description(
      "Resets a running kit to the world it was started with, to an empty world, or to a snapshot. Removes all faults. xpk reset without an argument adds the scenario's faults again.",
    )
    .argument('[to]', 'seed, empty, or the name of a snapshot', 'seed')
    .addHelpText('after', '\nExamples:\n  xpk reset\n  xpk reset empty\n  xpk reset before-checkout')
    .action(resetKit);
}

export function createSnapshotCommand(): Command {
  const createNameArgument = (name: string) =>
    createControlCommand(name).argument('<name>', 'lower-case letters, digits and hyphens, such as before-checkout');
  return new Command('snapshot')
    .description('Saves the whole state of a running kit under a name, and loads saved states.')
    .addCommand(
      createNameArgument('save')
        .description('Saves the state as a snapshot. Replaces an existing snapshot with the same name.')
        .action(saveSnapshot),
    )
    .addCommand(
      createNameArgument('load').description("Restores a snapshot's state, including kit time. Removes all faults.").action(resetKit),
    )
    .addCommand(createControlCommand('list').description('Lists the snapshots.').action(listSnapshots))
    .addCommand(createNameArgument('delete').description("Deletes a snapshot. Does not change the kit's state.").action(deleteSnapshot))
    .addHelpText(
      'afterAll',
      '\nExamples:\n  xpk snapshot save before-checkout\n  xpk snapshot load before-checkout\n  xpk snapshot list --json\n  xpk snapshot delete before-checkout',
    );
}

async function resetKit(to: string, flags: ControlFlags): Promise<void> {
  const loaded = await getResponseData(createClient(flags).POST('/_control/reset', { body: { to } }));
  print(flags, loaded, ({ world, entities }) => `The world is now ${world}: ${formatCounts(entities)}.`);
}

async function saveSnapshot(name: string, flags: ControlFlags): Promise<void> {
  const saved = await getResponseData(createClient(flags).PUT('/_control/snapshots/{name}', { params: { path: { name } } }));
  print(flags, saved, ({ world, entities }) => `Saved ${name}, a snapshot of the world ${world}: ${formatCounts(entities)}.`);
}

async function listSnapshots(flags: ControlFlags): Promise<void> {
  const formatRow = ({ name, savedAt, world, entities }: Snapshot) => [name, savedAt, `${world}: ${formatCounts(entities)}`];
  print(flags, await getResponseData(createClient(flags).GET('/_control/snapshots')), (snapshots) =>
    snapshots.length === 0 ? 'There are no snapshots. Save one with: xpk snapshot save NAME' : formatTable(snapshots.map(formatRow)),
  );
}

async function deleteSnapshot(name: string, flags: ControlFlags): Promise<void> {
  await createClient(flags).DELETE('/_control/snapshots/{name}', { params: { path: { name } } });
  print(flags, { deleted: name }, () => `Deleted the snapshot ${name}.`);
}
