import { type Command, Option } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { type ControlFlags, clientOf, controlCommand, duration, pathOf, print, wholeNumber } from './control-options.ts';
import { deliveryTable } from './delivery-table.ts';
import { heldInWords } from './mode-in-words.ts';
import { UsageError } from './usage-error.ts';

type Schemas = components['schemas'];
type Released = Schemas['Released'];
type Order = Extract<Schemas['Release']['order'], string>;

interface Flags extends ControlFlags {
  readonly order?: Order;
  readonly count?: number;
  readonly maxWait?: number;
}

// An order of the contract that is missing here does not compile.
const ORDERS: Readonly<Record<Order, true>> = { 'oldest-first': true, 'newest-first': true };

/** `xpk release`: what is held, sent in the order that is asked for. */
export function releaseCommand(): Command {
  return controlCommand('release')
    .description('Sends what is held for a subscription, one after the other, each when the first attempt of that before it has ended.')
    .argument('<subscription>', 'alias or id, as xpk subscriptions shows it')
    .argument('[delivery...]', 'held deliveries in the order in which they are to be sent; all that is held without them')
    .addOption(new Option('--order <order>', 'of all that is held; oldest-first without it').choices(Object.keys(ORDERS)))
    .addOption(new Option('--count <count>', 'at most so many').argParser(wholeNumber(1)))
    .addOption(
      new Option(
        '--max-wait <duration>',
        'wall time for all of it, 60s at most; 30s without it. What it is not enough for stays held',
      ).argParser(duration('0ms', '60s')),
    )
    .addHelpText('after', '\nExamples:\n  xpk release mine --order newest-first\n  xpk deliveries --subscription mine --state held')
    .action(release);
}

async function release(subscription: string, deliveries: string[], { order, count, maxWait, ...flags }: Flags): Promise<void> {
  if (order !== undefined && deliveries.length > 0)
    throw new UsageError('Give deliveries, which go in the order given, or --order, not both.');
  const control = clientOf(flags);
  const asked: Schemas['Release'] = {
    ...(order !== undefined && { order }),
    ...(deliveries.length > 0 && { order: deliveries }),
    ...(count !== undefined && { count }),
    ...(maxWait !== undefined && { maxWaitMs: maxWait }),
  };
  const answer = await control.post<Released>(`/subscriptions${pathOf(subscription)}/release`, asked);
  const sent: Schemas['Delivery'][] = [];
  // The answer has ids only; what came of each is for people.
  if (!flags.json) for (const id of answer.released) sent.push(await control.get(`/deliveries${pathOf(id)}`));
  print(flags, answer, () => inWords(subscription, answer, sent));
}

function inWords(subscription: string, { released, held }: Released, sent: readonly Schemas['Delivery'][]): string {
  if (released.length > 0) return `${deliveryTable(sent)}\nReleased ${released.length}. ${heldInWords(held, 'still ')}.`;
  if (held > 0) return `Nothing was released. ${heldInWords(held, 'still ')}.`;
  return `Nothing is held for ${subscription}. Hold what is to come with: xpk mode ${subscription} --hold`;
}
