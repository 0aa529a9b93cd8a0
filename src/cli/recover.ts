import { type Command, InvalidArgumentError, Option } from 'commander';
import { schemaReferences } from '../contract/generated/schema-references.ts';
import { validator } from '../contract/validators.ts';
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
    .addOption(new Option('--since <instant>', 'kit time, such as 2026-03-01T09:30:00Z').argParser(instant).makeOptionMandatory())
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

/** As the control API takes it: a day or a time alone could mean several instants. */
function instant(text: string): string {
  if (validator(schemaReferences.requests.recover)({ since: text }).length === 0) return text;
  throw new InvalidArgumentError('It is a date, a time and a zone, such as 2026-03-01T09:30:00Z.');
}
