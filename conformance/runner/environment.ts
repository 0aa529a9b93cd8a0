interface FilledValue {
  readonly value: unknown;
  readonly problems: readonly { readonly pointer: string; readonly reason: string }[];
  /** The values from the environment, and the JSON pointers of the strings that contain them. */
  readonly taken: readonly { readonly pointer: string; readonly value: string }[];
}

const REFERENCE_PATTERN = /\$\{([^}]*)\}/g;

export function fillFromEnvironment(value: unknown, environment: Readonly<Record<string, string | undefined>>): FilledValue {
  const problems: { pointer: string; reason: string }[] = [];
  const taken: { pointer: string; value: string }[] = [];
  return { value: fillPart(value, ''), problems, taken };

  function fillPart(part: unknown, pointer: string): unknown {
    if (typeof part === 'string')
      return part.replace(REFERENCE_PATTERN, (reference, name: string) => readVariable(reference, name, pointer));
    if (Array.isArray(part)) return part.map((item, index) => fillPart(item, `${pointer}/${index}`));
    if (typeof part !== 'object' || part === null) return part;
    const entries = Object.entries(part);
    return Object.fromEntries(entries.map(([name, member]) => [name, fillPart(member, `${pointer}/${escapeName(name)}`)]));
  }

  function readVariable(reference: string, name: string, pointer: string): string {
    const value = environment[name];
    if (value) {
      taken.push({ pointer, value });
      return value;
    }
    const reason = /^[A-Za-z_]\w*$/.test(name)
      ? `The environment has no ${name}. Set it, or remove this line.`
      : `${reference} is not the name of an environment variable.`;
    problems.push({ pointer, reason });
    return reference;
  }
}

/** Escapes a member name for a JSON pointer (RFC 6901). */
function escapeName(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
