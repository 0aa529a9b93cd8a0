// The direction of imports, in one table: a folder may import what stands before it, and itself.
const order = [
  ['clock', 'contract'],
  ['domain'],
  ['store'],
  ['service'],
  ['world', 'journal', 'events', 'oauth'],
  ['http'],
  ['api', 'control', 'console'],
];
// What uses a kit from outside, and what judges it. The kit itself knows none of it.
const clients = ['report', 'checks', 'sdk', 'cli'];
const folders = order.flat();
const rank = (folder) => order.findIndex((group) => group.includes(folder));

const later = folders.map((folder) => ({
  name: `${folder}-imports-backwards`,
  severity: 'error',
  comment: `src/${folder} may not import what stands after it in the order of layers`,
  from: { path: `^src/${folder}/`, pathNot: '\\.test\\.ts$|/testing/' },
  to: {
    path: `^src/(${[...folders.filter((other) => other !== folder && rank(other) >= rank(folder)), ...clients].join('|')})/|^src/kit\\.ts$`,
  },
}));

// The same for the conformance suite, types included.
const suite = ['target', 'expect', 'actors', 'runner', 'rules'].flatMap((folder, index, folders) => {
  const later = folders.slice(index + 1).join('|');
  if (later === '') return [];
  return {
    name: `suite-${folder}-imports-backwards`,
    severity: 'error',
    comment: `conformance/${folder} may not import what stands after it in the order of the suite`,
    from: { path: `^conformance/${folder}/` },
    to: { path: `^conformance/(${later}|proof)/` },
  };
});

module.exports = {
  forbidden: [
    ...later,
    ...suite,
    {
      name: 'nothing-imports-the-proof-or-the-tools',
      severity: 'error',
      from: { path: '^(src|conformance|examples)/', pathNot: '^conformance/proof/|\\.test\\.ts$' },
      to: { path: '^(conformance/proof|scripts|bench|chaos)/' },
    },
    {
      name: 'only-the-command-imports-the-command-line',
      severity: 'error',
      comment: 'the generator reads the options of the commands for the schema of the configuration file',
      from: { path: '^(conformance|scripts|bench|chaos)/', pathNot: '\\.test\\.ts$|^scripts/generate/outputs\\.ts$' },
      to: { path: '^src/cli/' },
    },
    {
      name: 'report-imports-contract-only',
      severity: 'error',
      from: { path: '^src/report/', pathNot: '\\.test\\.ts$|/testing/' },
      to: { path: '^(src|conformance)/', pathNot: '^src/(report|contract)/' },
    },
    {
      name: 'checks-know-a-kit-from-outside',
      severity: 'error',
      comment: 'an integration is judged with the URLs and the control API of a kit alone, which may run elsewhere',
      from: { path: '^src/checks/', pathNot: '\\.test\\.ts$|/testing/' },
      to: {
        path: '^(src|conformance)/',
        // A check delivers events as the kit does, so it uses the sender of the kit, and what the kit knows of destinations.
        pathNot:
          '^src/(checks|report|contract)/|^src/sdk/(control|errors)\\.ts$|^src/events/(send|destination|addresses)\\.ts$|^src/domain/(deliveries|delivery-headers)\\.ts$|^src/version\\.ts$',
      },
    },
    {
      name: 'sdk-imports-backwards',
      severity: 'error',
      from: { path: '^src/sdk/', pathNot: '\\.test\\.ts$|/testing/' },
      to: { path: '^(src/cli|conformance)/' },
    },
    {
      name: 'suite-knows-contract-and-report-only',
      severity: 'error',
      comment: 'a server that none of us has seen is judged by the same checks',
      from: { path: '^conformance/(rules|target|actors|expect|runner)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/', pathNot: '^src/(report|contract)/' },
    },
    {
      name: 'console-knows-a-kit-from-outside',
      severity: 'error',
      comment: 'the page knows a kit only by the control API',
      from: { path: '^src/console/client/' },
      to: { path: '^(src|conformance)/', pathNot: '^src/console/client/|^src/contract/generated/(control|service|entity-forms)\\.ts$' },
    },
    {
      name: 'nothing-imports-the-page',
      severity: 'error',
      comment: 'the page is bundled for browsers, and the kit serves the bundle',
      from: { path: '^(src|conformance|examples|bench|chaos)/', pathNot: '^src/console/client/' },
      to: { path: '^src/console/client/' },
    },
    {
      name: 'no-circles',
      severity: 'error',
      comment: 'imports of types alone included',
      from: { pathNot: '/generated/' },
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: {
        orphan: true,
        path: '^src/',
        pathNot: '\\.test\\.ts$|/testing/|^src/cli/main\\.ts$|^src/console/client/main\\.tsx$|^src/contract/generated/',
      },
      to: {},
    },
    { name: 'no-unresolved', severity: 'error', from: { path: '^src/' }, to: { couldNotResolve: true } },
    {
      name: 'no-dev-dependencies',
      severity: 'error',
      // The console is bundled, so its packages are not dependencies of the kit.
      from: { path: '^src/', pathNot: '\\.test\\.ts$|/testing/|^src/console/client/' },
      to: { dependencyTypes: ['npm-dev'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^src/contract/generated/.*\\.json$' },
  },
};
