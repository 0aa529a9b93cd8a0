import { fileURLToPath } from 'node:url';
import suite from '../../playwright.config.ts';

export default { ...suite, testDir: fileURLToPath(new URL('../../rules', import.meta.url)) };
