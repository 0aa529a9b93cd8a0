/** Import this module first, because other modules fail with unclear errors in older Node.js versions. */
checkNodeVersion(process.version, process.execPath);

/** @throws Error if the version is older than Node.js 24 */
export function checkNodeVersion(version: string, path: string): void {
  const [major] = version.slice(1).split('.');
  if (Number(major) < 24) throw new Error(`experience-provider-kit needs Node.js 24 or later, but it runs on ${version} (${path}).`);
}
