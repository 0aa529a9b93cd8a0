import type { RuleResult } from '../contract/generated/results.ts';
import type { colourText as colourAnyText } from './printable.ts';
import type { RunView } from './run-view.ts';
import type { Totals } from './totals.ts';
import { getVerdictWord, VERDICTS } from './verdicts.ts';

export const VERDICT_COLOURS = {
  passed: 'green',
  failed: 'red',
  flaky: 'red',
  error: 'magenta',
  'partly-tested': 'cyan',
  'not-testable': 'yellow',
  'not-exercised': 'yellow',
  'not-applicable': 'gray',
} as const;

export type ColourText = (format: Parameters<typeof colourAnyText>[0], text: string) => string;

/** Returns the lines with the totals of each level and the conclusion. */
export function formatClosing(run: RunView, colourText: ColourText = (_, text) => text): string[] {
  const { conclusion, timeLimited, totals, seconds, target } = run;
  return [
    ...totals.map(({ level, totals }) => `  ${level.padEnd(10)}  ${formatCounts(totals, level, colourText)}`),
    ...(timeLimited ? [colourText('gray', `  ${timeLimited}`)] : []),
    '',
    `  ${colourText(VERDICT_COLOURS[conclusion.kind], conclusion.text)}${colourText('gray', ` (${seconds}, ${target.baseUrl})`)}`,
  ];
}

export function formatCounts(totals: Totals, level: RuleResult['level'], colourText: ColourText): string {
  const rest = VERDICTS.filter((verdict) => verdict !== 'passed' && totals[verdict] > 0).map((verdict) =>
    colourText(VERDICT_COLOURS[verdict], `${totals[verdict]} ${getVerdictWord(verdict, level)}`),
  );
  return [colourText('bold', `${totals.passed} of ${totals.inScope} ${getVerdictWord('passed', level)}`), ...rest].join(', ');
}
