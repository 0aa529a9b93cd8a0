import { operations } from '../../src/contract/generated/operations.ts';
import type { Disagreement } from './disagreements-file.ts';
import type { Exchange } from './exchanges.ts';
import type { Opinion } from './opinions.ts';

/** `none`: no opinion was given. */
export type Word = 'fits' | 'broken' | 'none';

export interface Compared {
  readonly exchange: Exchange;
  readonly ours: Opinion;
  readonly prism: Opinion;
}

export interface Comparison {
  /** On how many answers both say the same. */
  readonly agreed: { readonly fits: number; readonly broken: number };
  /** The known disagreements, and on how many answers each was seen. */
  readonly known: readonly { readonly disagreement: Disagreement; readonly times: number }[];
  readonly objections: readonly string[];
}

export function compare(all: readonly Compared[], disagreements: readonly Disagreement[]): Comparison {
  const agreed = all.filter(({ ours, prism }) => wordOf(ours) === wordOf(prism));
  const apart = all.filter(({ ours, prism }) => wordOf(ours) !== wordOf(prism));
  const of = (compared: Compared) => disagreements.find((disagreement) => isOf(compared, disagreement));
  const known = disagreements.map((disagreement) => ({
    disagreement,
    times: apart.filter((compared) => of(compared) === disagreement).length,
  }));
  const count = (word: Word) => agreed.filter(({ ours }) => wordOf(ours) === word).length;
  return {
    agreed: { fits: count('fits'), broken: count('broken') },
    known,
    objections: [
      ...apart.filter((compared) => of(compared) === undefined).map((compared) => `Disagreement: ${told(compared)}`),
      ...known
        .filter(({ times }) => times === 0)
        .map(({ disagreement: { id } }) => `Stale: ${id} does not occur any more. Remove the entry.`),
      ...unseen(all.map(({ exchange }) => exchange)),
      ...(['fits', 'broken'] as const).filter((word) => count(word) === 0).map((word) => `Both never say "${word}": that proves nothing.`),
    ],
  };
}

export function wordOf(opinion: Opinion): Word {
  if ('none' in opinion) return 'none';
  return opinion.objections.length === 0 ? 'fits' : 'broken';
}

function isOf({ exchange, ours, prism }: Compared, known: Disagreement): boolean {
  return known.fault === exchange.fault && known.ours === wordOf(ours) && known.prism === wordOf(prism);
}

function told({ exchange: { operation, request, reply, fault }, ours, prism }: Compared): string {
  const what = `${operation} (${request.form}) answered with ${reply.status}${fault === undefined ? '' : `, ${fault}`}`;
  return `${what}\n    ours:  ${opinionIn(ours)}\n    Prism: ${opinionIn(prism)}\n    ${reply.headers['content-type']} ${reply.text.slice(0, 300)}`;
}

function opinionIn(opinion: Opinion): string {
  if ('none' in opinion) return `none (${opinion.none})`;
  return opinion.objections.length === 0 ? 'fits' : `broken: ${opinion.objections.slice(0, 3).join('; ')}`;
}

/** A documented answer that the service was not seen to give was not judged either. */
function unseen(exchanges: readonly Exchange[]): string[] {
  const seen = new Set(
    exchanges.flatMap(({ fault, operation, reply: { status } }) =>
      fault === undefined ? [`${operation} ${status}`, `${operation} ${Math.floor(status / 100)}XX`] : [],
    ),
  );
  const documented = Object.entries(operations).flatMap(([operation, { statuses }]) => statuses.map((status) => `${operation} ${status}`));
  const missing = documented.filter((answer) => !seen.has(answer));
  return missing.length === 0 ? [] : [`Not complete: the service was not seen to answer ${missing.join(', ')}.`];
}
