import { startKit } from './start-kit.mjs';

it('a kit starts', startKit);
