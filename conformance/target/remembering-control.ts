import { type Cleanup, TargetUnreachable } from './cleanup.ts';
import { type Control, ControlRefusal } from './control.ts';

/** The control API, where all that is made is removed at the end: a kit that others use, too, is left as it was. */
export function rememberingControl(control: Control, cleanup: Cleanup): Control {
  return {
    ...control,
    create: (collection, entity, as) =>
      cleanup.create(
        () => control.create(collection, entity, as),
        ({ id }) => gone(() => control.remove(collection, id)),
        ({ alias }) => `${alias} in ${collection}`,
      ),
    // One that hit nothing, as the run was ended, would hit somebody else.
    fault: (request) =>
      cleanup.create(
        () => control.fault(request),
        (id) => gone(() => control.removeFault(id)),
        (id) => id,
      ),
  };
}

/** 404: a check removed it itself, or it went with what it belonged to. */
async function gone(remove: () => Promise<void>): Promise<void> {
  try {
    await remove();
  } catch (error) {
    if (!(error instanceof ControlRefusal)) throw new TargetUnreachable('the control API does not answer any more');
    if (error.status !== 404) throw error;
  }
}
