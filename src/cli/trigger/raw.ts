import { type Command, Option } from 'commander';
import { type ControlFlags, createClient, createControlCommand, omitUndefined, print } from '../command.ts';
import { getResponseData } from '../control-client.ts';
import { getRecipientName } from '../deliveries.ts';
import { parseHeader, readTextOrFile } from '../payload.ts';
import { UsageError } from '../usage-error.ts';

interface Flags extends ControlFlags {
  readonly subscription: string;
  readonly type?: string;
  readonly data?: string;
  readonly body?: string;
  readonly header: Record<string, string>;
  readonly allowInvalid?: boolean;
}

export function createRawCommand(): Command {
  return createControlCommand('raw')
    .description('Sends any payload to a subscription. Does not change the world.')
    .requiredOption('--subscription <name>', 'the subscription (alias or id)')
    .option('--body <text>', 'the complete body; @file reads it from a file')
    .option('--type <type>', 'instead of --body: send an event of this type that contains --data; the kit adds the envelope')
    .option('--data <json>', 'the event data as JSON, with --type; @file reads it from a file')
    .addOption(new Option('--header <name:value>', 'a header; repeatable').argParser(parseHeader).default({}, 'none'))
    .option('--allow-invalid', 'allow a payload that is not a valid event')
    .addHelpText(
      'after',
      '\nExamples:\n  xpk trigger raw --subscription mine --body @event.json\n  xpk trigger raw --subscription mine --body "no JSON" --allow-invalid\n  xpk trigger raw --subscription mine --type provisioning.user.deleted --data @user.json',
    )
    .action(sendRaw);
}

async function sendRaw(flags: Flags): Promise<void> {
  const { subscription, type, header: headers, allowInvalid } = flags;
  const data = flags.data === undefined ? undefined : parseData(await readTextOrFile(flags.data));
  const payload = flags.body === undefined ? undefined : await readTextOrFile(flags.body);
  const body = { subscription, headers, ...omitUndefined({ type, data, body: payload, allowInvalid }) };
  const delivery = await getResponseData(createClient(flags).POST('/_control/events/raw', { body }));
  print(flags, delivery, () => `Sending the payload to ${getRecipientName(delivery)}: delivery ${delivery.id}.`);
}

function parseData(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new UsageError(`--data is not valid JSON: ${(error as Error).message}. To send text that is not JSON, use --body.`);
  }
}
