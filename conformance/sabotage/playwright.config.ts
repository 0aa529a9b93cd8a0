import { fileURLToPath } from 'node:url';
import suite from '../playwright.config.ts';

// Only the rules of the path forms are judged in the flat one: a single worker does that beside the others, where each of them would end by starting anew.
const projects = (suite.projects ?? []).map((project) => (project.name === 'flat' ? { ...project, workers: 1 } : project));

export default { ...suite, testDir: fileURLToPath(new URL('../rules', import.meta.url)), projects: projects.toReversed() };
