#!/usr/bin/env node
// Use old syntax, so that an old version of Node can run this check.
'use strict';
var version = process.versions.node.split('.').map(Number);
if (version[0] < 22 || (version[0] === 22 && version[1] < 19)) {
  // biome-ignore lint/style/useTemplate: old syntax
  console.error('xpk needs Node.js 22.19 or later; this is ' + process.version + ' (' + process.execPath + ').');
  process.exit(1);
}
// Node keeps the compiled code beside the package. In a shared folder such as /tmp, another user could replace the compiled code.
var enableCompileCache = require('node:module').enableCompileCache;
// Deno has no such function.
if (enableCompileCache) enableCompileCache(require('node:path').join(__dirname, '../../node_modules/.cache/xpk'));
import('../../dist/src/cli/main.js').catch((error) => {
  console.error(error);
  process.exit(1);
});
