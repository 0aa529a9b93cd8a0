import { isRefused } from '../contract/outcome.ts';
import { checkAssignability } from '../service/assignability.ts';
import type { Handlers } from './handler.ts';

/** Endpoints › GET assignability. */
export const assignability: Pick<Handlers, 'getExperienceAssignability'> = {
  async getExperienceAssignability({ actor, path, query }, context) {
    const result = await checkAssignability(context, actor, path.experienceId, query);
    return isRefused(result) ? result : { status: 200, body: result.body, evidence: result.evidence };
  },
};
