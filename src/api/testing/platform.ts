import assert from 'node:assert/strict';
import type { components } from '../../contract/generated/control.ts';
import type { Lab } from './lab.ts';

type Collection = components['schemas']['Collection'];
interface Entity {
  readonly id: string;
}

/** What the end-user portal and the platform do, through the control API. */
export function operator({ control }: Lab) {
  const named = (collection: Collection, id: string) => ({ params: { path: { collection, id } } });
  return {
    async create(collection: Collection, entity: object): Promise<Entity> {
      const { data, error } = await control.POST('/_control/state/{collection}', {
        params: { path: { collection } },
        body: entity as never,
      });
      assert.equal(error, undefined);
      return data as unknown as Entity;
    },
    async change(collection: Collection, id: string, members: object): Promise<void> {
      const { error } = await control.PATCH('/_control/state/{collection}/{id}', { ...named(collection, id), body: members as never });
      assert.equal(error, undefined);
    },
    async remove(collection: Collection, id: string): Promise<void> {
      const { error } = await control.DELETE('/_control/state/{collection}/{id}', named(collection, id));
      assert.equal(error, undefined);
    },
  };
}
