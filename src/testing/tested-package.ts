import { join, resolve } from 'node:path';

/** The folder of the installed package to test (tools/scripts/on-installed-package.ts). If the variable is not set, tests use the sources. */
const { XPK_TEST_PACKAGE } = process.env;

/** The program that tests run as `xpk`. */
export const XPK_FILE = XPK_TEST_PACKAGE ? join(XPK_TEST_PACKAGE, 'src/cli/xpk.cjs') : resolve('src/cli/main.ts');

/** The module that runs the command in `process.argv` when it is imported. */
export const MAIN_FILE = XPK_TEST_PACKAGE ? join(XPK_TEST_PACKAGE, 'dist/src/cli/main.js') : XPK_FILE;
