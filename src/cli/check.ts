import { Command } from 'commander';
import { createCheckClientCommand } from './check/client.ts';
import { createWebhookCommand } from './check/webhook.ts';

export function createCheckCommand(): Command {
  return new Command('check')
    .description('Tests whether your webhook endpoint, or your program as an API client, follows the rules.')
    .addCommand(createWebhookCommand())
    .addCommand(createCheckClientCommand())
    .addHelpText('after', '\nExamples:\n  xpk check webhook http://127.0.0.1:3000/events\n  xpk check client -- npm test');
}
