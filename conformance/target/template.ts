/**
 * A request body that the specification does not define, as a profile describes it: JSON whose strings contain placeholders. `{{name}}` is
 * replaced by a required value, `{{name?}}` by an optional one.
 */
export type BodyTemplate = Readonly<Record<string, unknown>>;

export type Values = Readonly<Record<string, string | undefined>>;

const PLACEHOLDER = /\{\{(\w+)(\??)\}\}/g;

/** Replaces the placeholders of a template. A member is left out if the value of its placeholder is missing. */
export function fill(template: unknown, values: Values): unknown {
  if (typeof template === 'string') {
    const names = [...template.matchAll(PLACEHOLDER)].map(([, name]) => name!);
    if (names.some((name) => values[name] === undefined)) return undefined;
    return template.replace(PLACEHOLDER, (_, name: string) => values[name]!);
  }
  if (Array.isArray(template)) return template.map((item) => fill(item, values)).filter((item) => item !== undefined);
  if (typeof template !== 'object' || template === null) return template;
  const members = Object.entries(template).map(([name, value]) => [name, fill(value, values)] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** Whether the template requires a value, allows it, or (undefined) has no placeholder for it. */
export function placeOf(template: BodyTemplate, name: string): 'required' | 'optional' | undefined {
  const places = [...JSON.stringify(template).matchAll(PLACEHOLDER)].filter(([, found]) => found === name);
  if (places.length === 0) return undefined;
  return places.some(([, , optional]) => optional === '') ? 'required' : 'optional';
}
