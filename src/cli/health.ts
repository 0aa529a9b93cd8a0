import type { Command } from 'commander';
import { type Health, UnhealthyError } from '../control-client/errors.ts';
import { type ControlFlags, createClient, createControlCommand, print } from './command.ts';
import { getResponseData } from './control-client.ts';

export function createHealthCommand(): Command {
  return createControlCommand('health')
    .description(
      'Checks whether a running kit can handle requests. Exits with 1 if a part of the kit does not work, or if no kit responds.',
    )
    .addHelpText('after', '\nExamples:\n  xpk health\n  until xpk health; do sleep 1; done')
    .action(showHealth);
}

async function showHealth(flags: ControlFlags): Promise<void> {
  const health = await getResponseData(createClient(flags).GET('/_control/health')).catch((error: unknown) => {
    if (error instanceof UnhealthyError) return error.health;
    throw error;
  });
  print(flags, health, formatHealth);
  if (health.status !== 'up') process.exitCode = 1;
}

function formatHealth({ status, engine, parts }: Health): string {
  const lines = Object.entries(parts).map(([part, state]) =>
    [`${part} (${engine}): ${state.status}`, state.reason ?? []].flat().join(', '),
  );
  return [status, ...lines].join('\n');
}
