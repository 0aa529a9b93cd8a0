// The allowed import directions: a folder may import itself and the folders that are listed before it.
const order = [
  ['clock', 'contract'],
  ['domain'],
  ['store'],
  ['service'],
  ['world', 'journal', 'events', 'oauth'],
  ['http'],
  ['api', 'control', 'console'],
  ['proxy'],
];
// Folders that use or test a kit from outside. The kit itself imports none of them.
const clients = ['refusals', 'oracle', 'control-client', 'report', 'expect', 'checks', 'traffic', 'sdk', 'har', 'cli'];
const folders = order.flat();
const rank = (folder) => order.findIndex((group) => group.includes(folder));

const later = folders.map((folder) => ({
  name: `${folder}-imports-backwards`,
  severity: 'error',
  comment: `src/${folder} may not import folders that come after it in the order of layers`,
  // For the console's page, a later rule lists what it may import.
  from: { path: `^src/${folder}/`, pathNot: '\\.test\\.ts$|^src/console/client/' },
  to: {
    path: `^src/(${[...folders.filter((other) => other !== folder && rank(other) >= rank(folder)), ...clients].join('|')})/|^src/kit\\.ts$`,
  },
}));

const suite = ['target', 'expect', 'actors', 'runner', 'rules'].flatMap((folder, index, folders) => {
  const later = folders.slice(index + 1).join('|');
  if (later === '') return [];
  return {
    name: `suite-${folder}-imports-backwards`,
    severity: 'error',
    comment: `conformance/${folder} may not import folders that come after it in the suite's order`,
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
      to: { path: '^(conformance/proof|tools)/' },
    },
    {
      name: 'only-the-command-imports-the-command-line',
      severity: 'error',
      comment:
        "two files are excepted, which list the commands: the generator of the configuration file's schema, and the list of commands without a test",
      from: { path: '^(conformance|tools)/', pathNot: '\\.test\\.ts$|^tools/scripts/(generate/outputs|uncalled)\\.ts$' },
      to: { path: '^src/cli/' },
    },
    {
      name: 'report-refusals-and-expect-import-contract-only',
      severity: 'error',
      from: { path: '^src/(report|refusals|expect)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(src|conformance)/', pathNot: '^src/($1|contract)/' },
    },
    {
      name: 'oracle-imports-contract-expect-and-refusals-only',
      severity: 'error',
      comment: 'the oracle knows its two servers only through the functions that it is given',
      from: { path: '^src/oracle/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(src|conformance)/', pathNot: '^src/(oracle|contract|expect|refusals)/' },
    },
    {
      name: 'checks-know-a-kit-from-outside',
      severity: 'error',
      comment: 'the checks use only the URLs and the control API of a kit, because the kit may run on another host',
      from: { path: '^src/checks/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^(src|conformance)/',
        // A check delivers events as the kit does, so it uses the kit's sender and destination code.
        pathNot:
          '^src/(checks|report|refusals|expect|contract)/|^src/control-client/|^src/events/(send|destination|addresses)\\.ts$|^src/domain/(deliveries|delivery-headers)\\.ts$|^src/version\\.ts$',
      },
    },
    {
      name: 'sdk-imports-backwards',
      severity: 'error',
      from: { path: '^src/sdk/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(src/cli|conformance)/' },
    },
    {
      name: 'suite-knows-no-kit',
      severity: 'error',
      comment: 'the suite also tests other servers, not only the kit. One file starts a kit, which is the twin of the target',
      from: { path: '^conformance/(rules|target|actors|expect|runner)/', pathNot: '\\.test\\.ts$|^conformance/runner/twin\\.ts$' },
      to: { path: '^src/', pathNot: '^src/((report|refusals|expect|contract|oracle)/|version\\.ts$)' },
    },
    {
      name: 'console-knows-a-kit-from-outside',
      severity: 'error',
      comment: 'the page uses a kit only through the control API',
      from: { path: '^src/console/client/' },
      to: {
        path: '^(src|conformance)/',
        pathNot:
          '^src/console/client/|^src/contract/generated/(control|control-table|service|entity-forms)\\.ts$|^src/control-client/call\\.ts$',
      },
    },
    {
      name: 'nothing-imports-the-page',
      severity: 'error',
      comment: 'the page is bundled for browsers, and the kit serves the bundle',
      from: { path: '^(src|conformance|examples|tools/(bench|chaos))/', pathNot: '^src/console/client/' },
      to: { path: '^src/console/client/' },
    },
    {
      name: 'no-circles',
      severity: 'error',
      comment: 'type-only imports count too',
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
    // The build, which may not have run yet.
    { name: 'no-unresolved', severity: 'error', from: { path: '^src/' }, to: { couldNotResolve: true, pathNot: '^../../dist/' } },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^src/contract/generated/.*\\.json$' },
  },
};
