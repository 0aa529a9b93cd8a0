/** Imported before everything else: an older Node.js fails on modules that it does not have, with errors that do not name the cause. */
checkNodeVersion(process.version, process.execPath);

/** @throws Error under Node.js before 24. */
export function checkNodeVersion(version: string, path: string): void {
  const [major] = version.slice(1).split('.');
  if (Number(major) < 24) throw new Error(`experience-provider-kit needs Node.js 24 or later; this is ${version} (${path}).`);
}
