import type { Boundary } from '../../target/boundary.ts';
import type { TargetSettings } from '../../target/target-settings.ts';

/** Makes the server break a rule while one of the rule's checks runs. */
export async function openBoundary({ baseUrl, hooks }: TargetSettings): Promise<Boundary> {
  const breakRule = async (rule: string | undefined) => {
    const { ok, status } = await fetch(new URL('/breach', hooks?.urls.numbers), { method: 'POST', body: JSON.stringify({ rule }) });
    if (!ok) throw new Error(`The server cannot break ${rule}: ${status}`);
  };
  return {
    async baseUrlFor({ annotations }) {
      await breakRule(annotations.find(({ type }) => type === 'rule')?.description);
      return baseUrl;
    },
    destinationFor: (_, url) => url,
    isRedundant: () => false,
    handleCheckEnd: () => breakRule(undefined),
    close: async () => {},
  };
}
