import type { Caught, Verdict } from './judge.ts';

/** The outcome for a person: what each saboteur reddens, what was not as it should be, and the numbers. */
export function printed({ caught, without, passedByNothing, ran, objections }: Verdict): string {
  const rules = new Set(caught.map(({ saboteur }) => saboteur.rule)).size;
  const good = caught.filter(({ by }) => by.length > 0).length;
  return [
    ...caught.map(line),
    '',
    ...Object.entries(without).map(([rule, reason]) => `  no saboteur  ${rule}: ${reason}`),
    ...passedByNothing.map(({ server, rules: passed }) => `  does nothing  ${server}: passes ${passed.length} documented rules`),
    '',
    ...objections.map((text) => `✗ ${text}`),
    `${good} of ${caught.length} saboteurs of ${rules} rules caught; ${passedByNothing.length} servers that do nothing; ${ran} checks ran; ${objections.length} objections.`,
  ].join('\n');
}

function line({ saboteur, by, missedBy, sparedBy, others }: Caught): string {
  const also = others.length === 0 ? '' : `; also reddens ${others.length}: ${others.join(', ')}`;
  const spared = sparedBy.length === 0 ? '' : `, ${sparedBy.length} spared`;
  return `  ${by.length > 0 ? '✓' : '✗'} ${saboteur.name}: caught by ${by.length} of ${by.length + missedBy.length}${spared}${also}`;
}
