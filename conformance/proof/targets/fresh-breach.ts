import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { parse } from 'yaml';
import type { RuleId } from '../../../src/contract/generated/rules.ts';

interface Edit {
  /** A module in `independent/`, or `independent-hooks.ts`. */
  readonly file: string;
  /** Must occur exactly once in the module. */
  readonly find: string;
  readonly replace: string;
}

interface FreshBreach {
  /** The words of the specification that the breach contradicts. */
  readonly quote: string;
  readonly level: 'documented' | 'implied';
  /** The rules that may name the breach. Default: every rule, but for a documented breach no implied rule. */
  readonly rules?: readonly RuleId[];
  /** Why the exploration finds the breach seldom or never. */
  readonly missedBecause?: string;
  /** The rules of which varied traffic shows at least one as broken. Absent: such traffic does not show the breach. */
  readonly inTraffic?: readonly RuleId[];
  readonly edits: readonly Edit[];
}

/** Faults between the examples of a suite. Their authors did not look at the checks, so that the table measures what the checks miss. */
export const FRESH_BREACHES = parse(readFileSync(new URL('./fresh-breaches.yaml', import.meta.url), 'utf8')) as Readonly<
  Record<string, FreshBreach>
>;

/** @param pattern `all`, or a regular expression. Without it, every `stride`th breach, to save time */
export const selectFreshBreaches = (
  pattern: string | undefined,
  stride: number,
  isProvable: (breach: FreshBreach) => boolean = () => true,
): string[] =>
  Object.keys(FRESH_BREACHES)
    .filter((name) => isProvable(FRESH_BREACHES[name]!))
    .filter((name, index) => (pattern === undefined ? index % stride === 0 : pattern === 'all' || new RegExp(pattern).test(name)));

/** Must run before the independent server is imported, because it changes the server's sources while they are loaded. */
export function applyFreshBreach(name: string): void {
  const breach = FRESH_BREACHES[name];
  if (breach === undefined) throw new Error(`There is no fresh breach ${name}.`);
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const edits = breach.edits.filter(({ file }) => findModule(file).href === url);
      return edits.length === 0 ? loaded : { ...loaded, source: editSource(String(loaded.source), edits) };
    },
  });
}

export function findModule(file: string): URL {
  return new URL(file.startsWith('independent-') ? file : `independent/${file}`, import.meta.url);
}

export function editSource(source: string, edits: readonly Edit[]): string {
  return edits.reduce((text, { file, find, replace }) => {
    const [before, after, ...more] = text.split(find);
    if (before === undefined || after === undefined || more.length > 0) throw new Error(`${file} must contain exactly once: ${find}`);
    return before + replace + after;
  }, source);
}
