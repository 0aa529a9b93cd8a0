import packageJson from '../../../package.json' with { type: 'json' };
import type { BundledPackage } from './bundled-packages.ts';

/**
 * Returns a CycloneDX document of the bundled packages, which scanners read, because they do not find the packages in `node_modules`.
 * Without a time and a serial number, so that the same sources make the same package.
 */
export function createSbom(packages: readonly BundledPackage[]): object {
  const described = packages.map((each) => ({ ...describe('library', each), scope: 'required' }));
  const components = [...new Map(described.map((component) => [component.purl, component])).values()];
  const component = describe('application', packageJson);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component },
    components,
    dependencies: [{ ref: component.purl, dependsOn: components.map(({ purl }) => purl) }],
  };
}

function describe(type: 'application' | 'library', { name, version, license }: Pick<BundledPackage, 'name' | 'version' | 'license'>) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const [group, ownName = name] = name.startsWith('@') ? name.split('/') : [undefined, name];
  return {
    type,
    'bom-ref': purl,
    ...(group !== undefined && { group }),
    name: ownName,
    version,
    ...(license !== undefined && { licenses: [{ expression: license }] }),
    purl,
  };
}
