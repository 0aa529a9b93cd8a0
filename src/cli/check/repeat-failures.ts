import type { RuleOutcome } from '../../checks/outcome.ts';
import { checkWebhook, type WebhookCheckOptions } from '../../checks/webhook/check-webhook.ts';

interface Commands {
  /** The command with the endpoint's URL and the options. */
  readonly command: string;
  /** The command that repeats the whole run. */
  readonly whole: string;
  /** How long the repetitions may take, in milliseconds. */
  readonly leftMs: number;
}

/**
 * Adds to each failure the shortest command that repeats it. The check runs this command's options first: if the failure does not occur
 * again, or if there is no time, the command repeats the whole run, which has just failed.
 */
export async function repeatFailures(
  outcomes: readonly RuleOutcome[],
  options: WebhookCheckOptions,
  { command, whole, leftMs }: Commands,
): Promise<RuleOutcome[]> {
  const end = performance.now() + leftMs;
  const repeated = new Map<string, boolean>();
  const result: RuleOutcome[] = [];
  for (const outcome of outcomes) {
    const { rule, verdict, replay } = outcome;
    const short = `${command} ${replay ?? `--rule ${rule}`}`;
    if (verdict === 'failed' && !repeated.has(short)) {
      const timeLimitMs = end - performance.now();
      const random = replay === undefined ? undefined : selectSequence(options.random, replay);
      const again = timeLimitMs <= 0 ? [] : await repeat({ ...options, random, rules: [rule], timeLimitMs });
      repeated.set(
        short,
        again.some((each) => each.rule === rule && each.verdict === 'failed'),
      );
    }
    result.push(verdict === 'failed' ? { ...outcome, replay: repeated.get(short) ? short : whole } : outcome);
  }
  return result;
}

async function repeat(options: WebhookCheckOptions): Promise<readonly RuleOutcome[]> {
  return checkWebhook({ ...options, onProgress: undefined }).then(
    ({ outcomes }) => outcomes,
    () => [],
  );
}

function selectSequence(random: WebhookCheckOptions['random'], replay: string): WebhookCheckOptions['random'] {
  return random && { ...random, path: replay.split(' ').at(-1) };
}
