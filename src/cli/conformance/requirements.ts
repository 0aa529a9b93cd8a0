import { formatPlural } from '../../contract/format-plural.ts';
import { diffRequirements, type RequirementChange } from '../../report/requirements.ts';
import { print } from '../command.ts';
import { getCurrentRequirements, listRequirements, readReasons, readRequirements } from '../reports/requirements-files.ts';

/**
 * @param older default: the newest frozen set
 * @param newer default: the rules of this version of the kit
 */
export async function printRequirementChanges(older: string | undefined, newer: string | undefined, flags: { readonly json?: boolean }) {
  const before = await readRequirements(older ?? (await listRequirements()).at(-1)!, 'requirements diff');
  const after = newer === undefined ? getCurrentRequirements() : await readRequirements(newer, 'requirements diff');
  const changes = diffRequirements(before, after, await readReasons());
  const names = { before: before.name!, after: after.name ?? `xpk ${after.kit}` };
  print(flags, { ...names, changes }, () => formatChanges(names, changes));
}

const TITLES: Readonly<Record<RequirementChange['change'], string>> = {
  added: 'Added',
  removed: 'Removed',
  level: 'Another level',
  text: 'Another text',
  checks: 'Other checks',
};

function formatChanges(
  { before, after }: { readonly before: string; readonly after: string },
  changes: readonly RequirementChange[],
): string {
  if (changes.length === 0) return `The rules of ${before} and ${after} are the same.`;
  const groups = [...Map.groupBy(changes, ({ change }) => change)].map(([change, ofKind]) =>
    [TITLES[change], ...ofKind.flatMap(formatChange)].join('\n'),
  );
  return [`From ${before} to ${after}: ${formatPlural(changes.length, 'change')}`, ...groups].join('\n\n');
}

function formatChange({ rule, change, before, after, why }: RequirementChange): string[] {
  const [removed, added] = change === 'checks' ? ['- ', '+ '] : ['', before === undefined ? '' : '→ '];
  const values = [...(before === undefined ? [] : [`${removed}${before}`]), ...(after === undefined ? [] : [`${added}${after}`])];
  return [`  ${rule}`, ...values.map((value) => `    ${value}`), ...(why === undefined ? [] : [`    Why: ${why}`])];
}
