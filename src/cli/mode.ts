import { type Command, Option } from 'commander';
import type { components } from '../contract/generated/control.ts';
import { type ControlFlags, clientOf, controlCommand, duration, pathOf, print, wholeNumber } from './control-options.ts';
import { columns } from './in-words.ts';
import { heldInWords, modeRows, waysNotIn } from './mode-in-words.ts';
import { UsageError } from './usage-error.ts';

type Schemas = components['schemas'];
type Mode = Schemas['DeliveryMode'];
type InForce = Schemas['DeliveryModeInForce'];

interface Flags extends ControlFlags, Mode {
  readonly none?: true;
}

/** So many times at most, and so long. */
const TIMES = wholeNumber(1, 10);
const SPAN = duration('1ms', '365d');
const windowOf = (text: string) => ({ window: SPAN(text) });

/** `xpk mode`: shows, sets or removes the delivery mode of a subscription. */
export function modeCommand(): Command {
  return controlCommand('mode')
    .description(
      'Shows or sets the delivery mode of a subscription: how its deliveries fail on purpose. Options that are not given are off. The mode is part of the world: a reset restores the mode that the world started with.',
    )
    .argument('<subscription>', 'alias or id, as xpk subscriptions shows it')
    .addOption(new Option('--duplicate <count>', 'send each so many more times after it was acknowledged, 10 at most').argParser(TIMES))
    .addOption(
      new Option('--reorder <duration>', 'shuffle first attempts within windows of so much kit time, such as 10s').argParser(windowOf),
    )
    .addOption(new Option('--delay <duration>', 'make first attempts so much kit time later').argParser(SPAN))
    .addOption(new Option('--drop-acknowledgement <count>', 'take so many acknowledgements of each for lost, 10 at most').argParser(TIMES))
    .option('--hold', 'hold first attempts until xpk release')
    .addOption(new Option('--seed <number>', 'what --reorder draws from; 0 without it').argParser(wholeNumber(0, Number.MAX_SAFE_INTEGER)))
    .option('--none', 'remove the delivery mode; held deliveries stay held')
    .addHelpText(
      'after',
      '\nExamples:\n  xpk mode mine --duplicate 1 --drop-acknowledgement 1\n  xpk mode mine --reorder 10s --seed 7\n  xpk mode mine --none',
    )
    .action(mode);
}

async function mode(subscription: string, flags: Flags): Promise<void> {
  const asked = modeIn(flags);
  const given = Object.keys(asked).length > 0;
  if (flags.none && given) throw new UsageError('Give --none or a delivery mode, not both.');
  const control = clientOf(flags);
  const path = `/subscriptions${pathOf(subscription)}/delivery-mode`;
  if (flags.none) await control.delete(path);
  const inForce = given ? await control.put<InForce>(path, asked) : await control.get<InForce>(path);
  print(flags, inForce, (answer) => `${inWords(subscription, answer, given)}\n${heldLine(subscription, answer)}`);
}

function modeIn({ url: _url, controlToken: _secret, json: _json, none: _none, ...mode }: Flags): Mode {
  return mode;
}

function inWords(subscription: string, { mode: inForce }: InForce, set: boolean): string {
  if (inForce === null) return `${subscription} has no delivery mode.`;
  const rows = columns(modeRows(inForce).map(([setting, effect]) => [`  ${setting}`, effect]));
  const whole = set ? `\nThis replaces the previous mode. Off: ${waysNotIn(inForce).join(', ')}.` : '';
  return `Deliveries to ${subscription} go wrong on purpose:\n${rows}${whole}`;
}

function heldLine(subscription: string, { held }: InForce): string {
  return `${heldInWords(held)}${held === 0 ? '.' : `; send what is held with: xpk release ${subscription}`}`;
}
