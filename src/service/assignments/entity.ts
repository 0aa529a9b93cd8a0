import type { components } from '../../contract/generated/service.ts';

/** An assignment as the API shows it (Resources › ExperienceAssignment). */
export type Assignment = components['schemas']['ExperienceAssignment'];

/** The text kept beside the columns and sent as it is; always with these members in this order. */
export function assignmentJson({ id, experienceId, accountId, targetType, targetValue, updatedAt }: Assignment): string {
  return JSON.stringify({ id, experienceId, accountId, targetType, targetValue, updatedAt });
}
