import { type Command, InvalidArgumentError, Option } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { type ControlFlags, clientOf, controlCommand, pathOf, print, wholeNumber } from './control-options.ts';
import { deliveryTable } from './delivery-table.ts';
import { type DeliveryFlags, stateOption, subscriptionOption, typeOption } from './event-options.ts';
import { columns } from './in-words.ts';
import { UsageError } from './usage-error.ts';

type Schemas = components['schemas'];

interface Flags extends ControlFlags, DeliveryFlags {
  readonly limit?: number;
}

/** As many as one answer may have. */
const MOST = 1000;

/** `xpk deliveries`: what a running kit delivered or is to deliver. */
export function deliveriesCommand(): Command {
  return controlCommand('deliveries')
    .description('Lists what a running kit delivered or is to deliver, the newest first; or shows one with every attempt.')
    .argument('[id]', 'a delivery: shows it with its envelope and its attempts')
    .addOption(subscriptionOption())
    .addOption(typeOption())
    .addOption(stateOption('only deliveries in this state'))
    .addOption(new Option('--limit <count>', `at most so many, up to ${MOST}; 100 without it`).argParser(upToMost))
    .addHelpText('after', '\nExamples:\n  xpk deliveries --state exhausted\n  xpk deliveries --subscription mine --limit 5')
    .action((id: string | undefined, flags: Flags) => (id === undefined ? list(flags) : show(id, flags)));
}

async function list(flags: Flags): Promise<void> {
  const { subscription, type, state, limit } = flags;
  const query = new URLSearchParams({
    ...(subscription !== undefined && { subscription }),
    ...(type !== undefined && { type }),
    ...(state !== undefined && { state }),
    ...(limit !== undefined && { limit: String(limit) }),
  });
  print(flags, await clientOf(flags).get<Schemas['Delivery'][]>(`/deliveries?${query}`), (deliveries) =>
    deliveries.length === 0 ? 'There are no such deliveries. Make an event happen with: xpk trigger TYPE' : deliveryTable(deliveries),
  );
}

async function show(id: string, flags: Flags): Promise<void> {
  if (flags.subscription ?? flags.type ?? flags.state ?? flags.limit)
    throw new UsageError(`Give a delivery (${id}) or what to list, not both.`);
  print(flags, await clientOf(flags).get<Schemas['DeliveryWithAttempts']>(`/deliveries${pathOf(id)}`), inWords);
}

function inWords(delivery: Schemas['DeliveryWithAttempts']): string {
  const { body, attemptLog, webhookId } = delivery;
  const attempts = attemptLog.length === 0 ? 'No attempt has ended yet.' : columns(attemptLog.map(attemptRow));
  return `${deliveryTable([delivery])}\n\nwebhook-id: ${webhookId}\n${JSON.stringify(body, null, 2)}\n\n${attempts}`;
}

function attemptRow({ number, at, status, error, durationMs, nextAt }: Schemas['Attempt']): string[] {
  const outcome = [status, error].filter((part) => part !== undefined).join(', ');
  return [`attempt ${number}`, at, outcome, `${durationMs} ms`, ...(nextAt === undefined ? [] : [`next at ${nextAt}`])];
}

function upToMost(text: string): number {
  const count = wholeNumber(1)(text);
  if (count > MOST) throw new InvalidArgumentError(`It is ${MOST} at most.`);
  return count;
}
