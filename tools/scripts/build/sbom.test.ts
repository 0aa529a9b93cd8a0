import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { createSbom } from './sbom.ts';

const text = readFileSync('dist/sbom.cdx.json', 'utf8');
const validate = (document: string) => new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(document);

test('the SBOM is a valid CycloneDX document', async () => {
  assert.equal(await validate(text), null);
  assert.notEqual(await validate(text.replace('"library"', '"book"')), null);
});

test('the SBOM names every package that the bundle contains', () => {
  const { components } = JSON.parse(text) as { components: { group?: string; name: string }[] };
  const listed = components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));
  // In the bundle, a comment names each module's source. The console is minified, and the types have no comments.
  const bundled = globSync('dist/**/*.js').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^\s*\/\/ (?:.*\/)?node_modules\/((?:@[^/\n]+\/)?[^/\n]+)\//gm)].map(([, name = '']) => name),
  );
  assert.ok(bundled.includes('oidc-provider'));
  const missing = [...bundled, 'preact', 'openapi-typescript-helpers'].filter((name) => !listed.includes(name));
  assert.deepEqual([...new Set(missing)], []);
});

test('a package with a scope has a group, and a percent-encoded URL', () => {
  const [component] = (
    createSbom([{ name: '@a/b', version: '1.2.3', license: 'MIT', folder: 'node_modules/@a/b' }]) as { components: object[] }
  ).components;
  assert.deepEqual(component, {
    type: 'library',
    'bom-ref': 'pkg:npm/%40a/b@1.2.3',
    group: '@a',
    name: 'b',
    version: '1.2.3',
    licenses: [{ expression: 'MIT' }],
    purl: 'pkg:npm/%40a/b@1.2.3',
    scope: 'required',
  });
});
