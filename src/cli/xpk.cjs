#!/usr/bin/env node
// Use old syntax, so that an old version of Node can run this check.
'use strict';
var major = Number(process.versions.node.split('.')[0]);
if (major < 24) {
  // biome-ignore lint/style/useTemplate: old syntax
  console.error('xpk needs Node.js 24 or later; this is ' + process.version + ' (' + process.execPath + ').');
  process.exit(1);
}
// Node keeps the compiled code beside the package. In a shared folder such as /tmp, another user could replace the compiled code.
require('node:module').enableCompileCache(require('node:path').join(__dirname, '../../node_modules/.cache/xpk'));
import('../../dist/src/cli/main.js').catch((error) => {
  console.error(error);
  process.exit(1);
});
