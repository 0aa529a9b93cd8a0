/** Returns a count with its noun, such as "1 rule" or "2 rules". */
export const formatPlural = (count: number, singular: string, plural = `${singular}s`): string =>
  `${count} ${count === 1 ? singular : plural}`;
