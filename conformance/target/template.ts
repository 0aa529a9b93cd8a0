/** A profile's JSON template for a request body. `{{name}}` stands for a required value, `{{name?}}` for an optional one. */
export type BodyTemplate = Readonly<Record<string, unknown>>;

export type Values = Readonly<Record<string, unknown>>;

const PLACEHOLDER_PATTERN = /\{\{(\w+)(\??)\}\}/g;

/** Omits members whose placeholder has no value. */
export function fillTemplate(template: unknown, values: Values): unknown {
  if (typeof template === 'string') {
    const names = [...template.matchAll(PLACEHOLDER_PATTERN)].map(([, name]) => name!);
    if (names.some((name) => values[name] === undefined)) return undefined;
    // A value that is not a string replaces the whole string.
    if (template.replace(PLACEHOLDER_PATTERN, '') === '' && names.length === 1) return values[names[0]!];
    return template.replace(PLACEHOLDER_PATTERN, (_, name: string) => String(values[name]));
  }
  if (Array.isArray(template)) return template.map((item) => fillTemplate(item, values)).filter((item) => item !== undefined);
  if (typeof template !== 'object' || template === null) return template;
  const members = Object.entries(template).map(([name, value]) => [name, fillTemplate(value, values)] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** Returns whether the template requires a value; undefined if the template has no placeholder for the value. */
export function findPlaceholder(template: BodyTemplate, name: string): 'required' | 'optional' | undefined {
  const places = [...JSON.stringify(template).matchAll(PLACEHOLDER_PATTERN)].filter(([, found]) => found === name);
  if (places.length === 0) return undefined;
  return places.some(([, , optional]) => optional === '') ? 'required' : 'optional';
}
