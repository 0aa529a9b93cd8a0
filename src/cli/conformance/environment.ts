import { toPointer, type WorldProblem } from '../../world/problem.ts';

interface Filled {
  readonly value: unknown;
  readonly problems: readonly WorldProblem[];
  /** The values that came from the environment, with the pointer of the text they are in. */
  readonly taken: readonly { readonly pointer: string; readonly value: string }[];
}

const REFERENCE = /\$\{([^}]*)\}/g;

/** Puts environment variables in the place of `${NAME}`, in every text of a value. */
export function fillFromEnvironment(value: unknown, environment: Readonly<Record<string, string | undefined>>): Filled {
  const problems: WorldProblem[] = [];
  const taken: { pointer: string; value: string }[] = [];
  return { value: walk(value, []), problems, taken };

  function walk(part: unknown, steps: readonly (string | number)[]): unknown {
    if (typeof part === 'string') return part.replace(REFERENCE, (whole, name: string) => variable(whole, name, toPointer(steps)));
    if (Array.isArray(part)) return part.map((item, index) => walk(item, [...steps, index]));
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, walk(member, [...steps, name])]));
  }

  function variable(whole: string, name: string, pointer: string): string {
    const found = environment[name];
    if (found) {
      taken.push({ pointer, value: found });
      return found;
    }
    const reason = /^[A-Za-z_]\w*$/.test(name)
      ? `The environment has no ${name}. Set it, or remove this line.`
      : `${whole} is not the name of an environment variable.`;
    problems.push({ pointer, reason });
    return whole;
  }
}
