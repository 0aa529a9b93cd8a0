import { rules } from '../../../../src/contract/generated/rules-table.ts';
import type { Json } from '../exchange.ts';
import type { Derived, Start } from '../mutant.ts';
import { api, isConditional, pairs, type Schema, wrongValues } from './schema.ts';

/** Where an object is shown. */
export interface Place {
  readonly name: string;
  /** The status of the replies that show it. Absent: any. */
  readonly status?: number;
  /** A server that changes the object here. */
  readonly start: (change: (object: Json) => Json) => Start;
}

interface Shown {
  readonly schema: Schema;
  /** Resolves the references of the schema's document. */
  readonly resolve?: (schema: Schema) => Schema;
  /** The rule that a wrong member breaks. */
  readonly ruleOf: (member: string) => string | undefined;
  readonly placesOf: (member: string) => readonly Place[];
}

/** Each member of an object is wrong in each way in one place, and wrong in one way in each place. */
export function wrongMembers({ schema, resolve = api.resolve, ruleOf, placesOf }: Shown): Derived[] {
  return Object.entries(schema.properties ?? {}).flatMap(([member, given]) => {
    const rule = ruleOf(member);
    if (rule === undefined || !(rule in rules)) return [];
    const isRequired = schema.required?.includes(member) ?? false;
    const ways = wrongValues(resolve(given), { isRequired, isConditional: isConditional(schema, member) });
    return pairs(ways, placesOf(member)).map(([[how, wrong], { start, name, ...rest }]) => ({
      rule,
      does: `${name} has ${how} for ${member}.`,
      ...rest,
      start: start((object) => ({ ...object, [member]: wrong(object[member] as never) })),
    }));
  });
}
