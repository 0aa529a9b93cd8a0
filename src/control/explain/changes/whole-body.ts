import type { Case } from '../case.ts';
import { aliasOf, own } from '../view.ts';
import { targetsFor, targetTypesFor, type Values, valuesFor } from './other-values.ts';

/** A body that the operation takes from this caller, with as much of what was sent as may stay. Undefined where there is none. */
export function wholeBody(of: Case, given: Values): Values | undefined {
  const body = bodyFor(of, given);
  return body && Object.values(body).every((value) => value !== undefined) ? body : undefined;
}

function bodyFor(of: Case, given: Values): Values | undefined {
  const { operationId, view, world } = of;
  const keep = (name: string, good: readonly string[], others: Values = given) =>
    good.includes(given[name] as string) ? given[name] : valuesFor(of, name, { ...given, ...others })[0];
  switch (operationId) {
    case 'createExperienceAssignment': {
      const [targetType] = targetTypesFor(given);
      const experienceId = keep(
        'experienceId',
        view.experiences('manage').map(({ id }) => id),
      );
      return { experienceId, targetType, targetValue: keep('targetValue', targetsFor(of, { targetType }), { targetType }) };
    }
    case 'createExperienceConnection': {
      const accountId = keep(
        'accountId',
        view.accounts('manage').map(({ id }) => id),
      );
      return { accountId, experienceId: keep('experienceId', valuesFor(of, 'experienceId', { accountId }) as string[], { accountId }) };
    }
    case 'updateExperienceConnection': {
      const id = of.request.path.split('/').at(-1) ?? '';
      const present = own(world.connections, aliasOf(world.connections, id))?.state;
      return { state: present === 'ACTIVE' ? 'INACTIVE' : 'ACTIVE' };
    }
    default:
      return undefined;
  }
}
