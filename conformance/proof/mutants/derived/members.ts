import { rules } from '../../../../src/contract/generated/rules-table.ts';
import type { Json } from '../exchange.ts';
import type { DerivedMutant, StartMutant } from '../mutant.ts';
import { api, createPairs, createWrongValues, isConditional, type Schema } from './schema.ts';

/** A location at which a server sends an object, such as the response body of one operation. */
export interface ObjectLocation {
  readonly name: string;
  readonly start: (change: (object: Json) => Json) => StartMutant;
}

interface WrongMemberSettings {
  readonly schema: Schema;
  readonly resolve?: (schema: Schema) => Schema;
  readonly ruleOf: (member: string) => string | undefined;
  readonly locationsOf: (member: string) => readonly ObjectLocation[];
}

/** Creates the fewest mutants that together cover every wrong value and every location. */
export function createWrongMembers({ schema, resolve = api.resolve, ruleOf, locationsOf }: WrongMemberSettings): DerivedMutant[] {
  return Object.entries(schema.properties ?? {}).flatMap(([member, given]) => {
    const rule = ruleOf(member);
    if (rule === undefined || !(rule in rules)) return [];
    const isRequired = schema.required?.includes(member) ?? false;
    const ways = createWrongValues(resolve(given), { isRequired, isConditional: isConditional(schema, member) });
    return createPairs(ways, locationsOf(member)).map(([[how, wrong], { start, name }]) => ({
      rule,
      description: `${name} has ${how} for ${member}.`,
      start: start((object) => ({ ...object, [member]: wrong(object[member] as never) })),
    }));
  });
}
