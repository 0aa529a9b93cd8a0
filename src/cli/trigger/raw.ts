import { readFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { components } from '../../contract/generated/control.ts';
import { type ControlFlags, clientOf, controlCommand, print } from '../control-options.ts';
import { recipientOf } from '../delivery-table.ts';
import { UsageError } from '../usage-error.ts';

type Delivery = components['schemas']['Delivery'];

interface Flags extends ControlFlags {
  readonly subscription: string;
  readonly type?: string;
  readonly data?: string;
  readonly body?: string;
  readonly header: Readonly<Record<string, string>>;
  readonly allowInvalid?: boolean;
}

/** `xpk trigger raw`: a payload that nothing in the world caused. */
export function rawCommand(): Command {
  return controlCommand('raw')
    .description('Sends a subscription a payload that you make up, and changes nothing in the world.')
    .requiredOption('--subscription <name>', 'to this subscription (alias or id)')
    .option('--body <text>', 'all that is sent, as it stands; @file takes it from a file')
    .option('--type <type>', 'in place of --body: the event type; the kit makes the envelope')
    .option('--data <json>', 'with --type: what the event says, as JSON; @file takes it from a file')
    .addOption(new Option('--header <name:value>', 'a header of its own; may be given again').argParser(header).default({}, 'none'))
    .option('--allow-invalid', 'what the contract of events forbids is meant')
    .addHelpText(
      'after',
      '\nExamples:\n  xpk trigger raw --subscription mine --body @event.json\n  xpk trigger raw --subscription mine --body "no JSON" --allow-invalid\n  xpk trigger raw --subscription mine --type provisioning.user.deleted --data @user.json',
    )
    .action(send);
}

async function send(flags: Flags): Promise<void> {
  const { subscription, type, header: headers, allowInvalid } = flags;
  const data = flags.data === undefined ? undefined : jsonIn(await textOf(flags.data));
  const body = flags.body === undefined ? undefined : await textOf(flags.body);
  const delivery = await clientOf(flags).post<Delivery>('/events/raw', { subscription, type, data, body, headers, allowInvalid });
  print(flags, delivery, () => `Sending it to ${recipientOf(delivery)}: delivery ${delivery.id}.`);
}

/** The text itself, or the content of the file that `@file` names. */
export function textOf(given: string): Promise<string> | string {
  if (!given.startsWith('@')) return given;
  const file = given.slice(1);
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`The file ${file} cannot be read: ${error.code === 'ENOENT' ? 'there is none.' : error.message}`);
  });
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new UsageError(`--data is not JSON: ${(error as Error).message}. Text of any kind is sent with --body.`);
  }
}

/** The argument of a repeatable option `name:value`. */
export function header(text: string, earlier: Readonly<Record<string, string>> = {}): Record<string, string> {
  const colon = text.indexOf(':');
  if (colon < 1) throw new InvalidArgumentError('It is a name, a colon and a value, such as X-Test:yes.');
  const name = text.slice(0, colon).trim();
  if (Object.keys(earlier).some((other) => other.toLowerCase() === name.toLowerCase()))
    throw new InvalidArgumentError(`The header ${name} is given twice. Each header can be given once.`);
  return { ...earlier, [name]: text.slice(colon + 1).trim() };
}
