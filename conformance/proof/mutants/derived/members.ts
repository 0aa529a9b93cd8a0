import { rules } from '../../../../src/contract/generated/rules-table.ts';
import type { Json } from '../exchange.ts';
import type { Derived, Start } from '../mutant.ts';
import { api, isConditional, pairs, type Schema, wrongValues } from './schema.ts';

/** One place where a server sends an object, such as the body of one operation. */
export interface Place {
  readonly name: string;
  /** Creates a mutant that changes the object in this place only. */
  readonly start: (change: (object: Json) => Json) => Start;
}

interface Shown {
  readonly schema: Schema;
  /** Resolves references in the document of the schema. Default: the API. */
  readonly resolve?: (schema: Schema) => Schema;
  /** The id of the rule that a wrong value of a member breaks. Undefined if there is none. */
  readonly ruleOf: (member: string) => string | undefined;
  readonly placesOf: (member: string) => readonly Place[];
}

/** Creates mutants for an object. Each member is wrong in every possible way at least once, and wrong in every place at least once. */
export function wrongMembers({ schema, resolve = api.resolve, ruleOf, placesOf }: Shown): Derived[] {
  return Object.entries(schema.properties ?? {}).flatMap(([member, given]) => {
    const rule = ruleOf(member);
    if (rule === undefined || !(rule in rules)) return [];
    const isRequired = schema.required?.includes(member) ?? false;
    const ways = wrongValues(resolve(given), { isRequired, isConditional: isConditional(schema, member) });
    return pairs(ways, placesOf(member)).map(([[how, wrong], { start, name }]) => ({
      rule,
      does: `${name} has ${how} for ${member}.`,
      start: start((object) => ({ ...object, [member]: wrong(object[member] as never) })),
    }));
  });
}
