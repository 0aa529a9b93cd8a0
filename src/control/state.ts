import { cannot, type ControlHandlers } from './handler.ts';
const no = () => cannot('invalid', 'not yet');
export const state: Pick<ControlHandlers, 'dumpState' | 'loadState' | 'listCollection' | 'createEntity' | 'readEntity' | 'putEntity' | 'patchEntity' | 'deleteEntity'> = { dumpState: no, loadState: no, listCollection: no, createEntity: no, readEntity: no, putEntity: no, patchEntity: no, deleteEntity: no };
