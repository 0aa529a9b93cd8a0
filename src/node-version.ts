/** This module is imported first, because the other modules fail under an older Node.js with errors that do not name the cause. */
checkNodeVersion(process.version, process.execPath);

/** @throws Error if the version is before Node.js 24. */
export function checkNodeVersion(version: string, path: string): void {
  const [major] = version.slice(1).split('.');
  if (Number(major) < 24) throw new Error(`experience-provider-kit needs Node.js 24 or later; this is ${version} (${path}).`);
}
