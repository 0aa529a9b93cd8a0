import { type Command, Option } from 'commander';
import { type ControlFlags, clientFor, controlCommand, given, print } from '../command.ts';
import { getResponseData } from '../control-client.ts';
import { recipientOf } from '../deliveries.ts';
import { parseHeader, textOrFile } from '../payload.ts';
import { UsageError } from '../usage-error.ts';

interface Flags extends ControlFlags {
  readonly subscription: string;
  readonly type?: string;
  readonly data?: string;
  readonly body?: string;
  readonly header: Record<string, string>;
  readonly allowInvalid?: boolean;
}

export function rawCommand(): Command {
  return controlCommand('raw')
    .description('Sends any payload to a subscription. Does not change the world.')
    .requiredOption('--subscription <name>', 'the subscription (alias or id)')
    .option('--body <text>', 'the whole body; @file reads it from a file')
    .option('--type <type>', 'instead of --body: the event type; the kit adds the envelope')
    .option('--data <json>', 'with --type: the data of the event, as JSON; @file reads it from a file')
    .addOption(new Option('--header <name:value>', 'a header; repeatable').argParser(parseHeader).default({}, 'none'))
    .option('--allow-invalid', 'send a payload that breaks the contract of events')
    .addHelpText(
      'after',
      '\nExamples:\n  xpk trigger raw --subscription mine --body @event.json\n  xpk trigger raw --subscription mine --body "no JSON" --allow-invalid\n  xpk trigger raw --subscription mine --type provisioning.user.deleted --data @user.json',
    )
    .action(send);
}

async function send(flags: Flags): Promise<void> {
  const { subscription, type, header: headers, allowInvalid } = flags;
  const data = flags.data === undefined ? undefined : parseData(await textOrFile(flags.data));
  const payload = flags.body === undefined ? undefined : await textOrFile(flags.body);
  const body = { subscription, headers, ...given({ type, data, body: payload, allowInvalid }) };
  const delivery = await getResponseData(clientFor(flags).POST('/_control/events/raw', { body }));
  print(flags, delivery, () => `Sending the payload to ${recipientOf(delivery)}: delivery ${delivery.id}.`);
}

function parseData(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new UsageError(`--data is not valid JSON: ${(error as Error).message}. Send any other text with --body.`);
  }
}
