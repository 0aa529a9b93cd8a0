import { describeRequest, removeMarks, renumber } from './describe.ts';
import type { Counterexample } from './explore.ts';

/** What was expected, then the numbered steps that lead to the difference. */
export function formatCounterexample(found: Counterexample): string {
  const { difference, dialogue, earlier, ids, created, seed, path } = found;
  const { message, request, probe } = difference;
  const cursor = probe?.cursorOf === undefined ? '' : ', with the cursor of the first page';
  const failure = probe?.withoutAuthorization ? ', while the authorization service cannot be reached' : '';
  const last =
    request &&
    `${describeRequest(request.operation, request.request)}${cursor}${failure}${dialogue.length === 0 ? '' : `\n${removeMarks(message.split('\n', 1)[0]!)}`}`;
  const steps = [...dialogue, ...(last === undefined ? [] : [last])];
  const known = [...Object.entries(ids).map(([name, id]) => `${name} is ${id}`), describeTokens(steps.join())];
  const own = Object.entries(created).flatMap(([name, id]) => (id === '' ? [] : `${name} was ${id}`));
  const lines = [
    removeMarks(message),
    steps.length === 1
      ? 'One step shows it:'
      : `${request ? `Step ${steps.length} shows it` : 'These steps show it'}, and no shorter sequence was found:`,
    ...steps.map((step, index) => `  ${index + 1}. ${step.replace('\n', '\n     ')}`),
    ...(earlier.length === 0
      ? []
      : ['The cause may be an earlier sequence, whose entities were deleted at its end. Its steps about the same entities:']),
    // The names of both sequences are numbered from 1.
    ...earlier.map((step) => `  - ${step.replace('\n', '\n    ').replaceAll(/\bnew (?=\w+ \d)/g, 'earlier ')}`),
    ...(/\bnew /.test(steps.join()) ? [`What is “new” was created by a step${own.length === 0 ? '' : `: ${own.join(', ')}`}.`] : []),
    ...(steps.some((step) => /^The (portal|platform) /.test(step))
      ? [
          'The suite acts as the portal and as the platform with hooks, or in a kit with the control API. “done” means that there was no error.',
        ]
      : []),
    `Everything else is in the profile: ${known.join(', ')}.`,
    `To repeat the sequence, add to the xpk command: --seed ${seed} --path ${path}`,
  ];
  return renumber(lines.join('\n'), dialogue);
}

function describeTokens(steps: string): string {
  const others = ['reader', 'outsider'].filter((name) => steps.includes(`as the ${name}`));
  return ['the token of the manager is tokens.full', ...others.map((name) => `that of the ${name} tokens.${name}`)].join(', ');
}
