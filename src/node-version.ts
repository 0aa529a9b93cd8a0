/** Import this module first, because other modules fail with unclear errors in older Node.js versions. */
checkNodeVersion(process.version, process.execPath);

/** @throws Error if the version is older than Node.js 22.19, the oldest that undici 8 supports */
export function checkNodeVersion(version: string, path: string): void {
  const [major = 0, minor = 0] = version.slice(1).split('.').map(Number);
  if (major < 22 || (major === 22 && minor < 19))
    throw new Error(`experience-provider-kit needs Node.js 22.19 or later, but it runs on ${version} (${path}).`);
}
