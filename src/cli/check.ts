import { Command } from 'commander';
import { checkClientCommand } from './check/client.ts';
import { webhookCommand } from './check/webhook.ts';

export function checkCommand(): Command {
  return new Command('check')
    .description('Tests which rules your webhook endpoint, or your program as an API client, follows.')
    .addCommand(webhookCommand())
    .addCommand(checkClientCommand())
    .addHelpText('after', '\nExamples:\n  xpk check webhook http://127.0.0.1:3000/events\n  xpk check client -- npm test');
}
