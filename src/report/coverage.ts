import type { Coverage } from '../contract/generated/results.ts';

export function summarizeCoverage(coverage: readonly Coverage[]): string {
  const [met, documented] = countDocumented(coverage);
  return `Coverage: the client received ${met} of the ${documented} answers that the specification documents`;
}

export function countDocumented(coverage: readonly Coverage[]): readonly [met: number, documented: number] {
  const documented = coverage.filter((row) => row.documented !== false);
  return [documented.filter((row) => row.met > 0).length, documented.length];
}

export function listUnreceivedAnswers(coverage: readonly Coverage[]): { readonly answer: string; readonly provoke: string }[] {
  return coverage
    .filter(({ met }) => met === 0)
    .map(({ operation, status, text, provoke = '' }) => ({ answer: `${operation} ${status}: ${text}`, provoke }));
}

export function formatCoverageLines(coverage: readonly Coverage[]): string[] {
  const groups = [...Map.groupBy(coverage, ({ operation }) => operation)];
  const width = Math.max(0, ...groups.map(([operation]) => operation.length));
  return groups.map(([operation, rows]) => {
    const statuses = [...Map.groupBy(rows, ({ status }) => status)].sort(([a], [b]) => a - b);
    const parts = statuses.map(([status, group]) => {
      const met = group.filter((row) => row.met > 0).length;
      if (group.length === 1) return met === 1 ? `${status} ✓` : `${status} –`;
      return `${status} ${met}/${group.length}`;
    });
    return `${operation.padEnd(width)}  ${parts.join('   ')}`;
  });
}
