import type { Command } from 'commander';
import { type ControlFlags, clientOf, controlCommand, pathOf, print } from './control-options.ts';

interface Flags extends ControlFlags {
  readonly since: string;
  readonly acknowledged?: boolean;
}

/** `xpk recover`: what a subscription missed, once more. */
export function recoverCommand(): Command {
  return controlCommand('recover')
    .description('Sends again what a subscription was to get since an instant and has not acknowledged.')
    .argument('<subscription>', 'alias or id, as xpk subscriptions shows it')
    .requiredOption('--since <instant>', 'kit time, such as 2026-03-01T09:30:00.000Z')
    .option('--acknowledged', 'what was acknowledged, too')
    .addHelpText('after', '\nExample:\n  xpk recover mine --since 2026-03-01T09:30:00Z')
    .action(recover);
}

async function recover(subscription: string, { since, acknowledged, ...flags }: Flags): Promise<void> {
  const path = `/subscriptions${pathOf(subscription)}/recover`;
  const recovered = await clientOf(flags).post<{ deliveries: number }>(path, { since, acknowledged });
  print(flags, recovered, ({ deliveries: count }) =>
    count === 0
      ? `There is nothing to send again since ${since}.`
      : `${count} ${count === 1 ? 'delivery goes' : 'deliveries go'} out again.`,
  );
}
