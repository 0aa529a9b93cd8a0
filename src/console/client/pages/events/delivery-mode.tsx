import { useState } from 'preact/hooks';
import { control, getResponseData, type Schemas } from '../../kit/control.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/page.tsx';
import { showToast } from '../../ui/toast.tsx';

type DeliveryMode = Schemas['DeliveryMode'];
type ModeChoice = 'none' | Exclude<keyof DeliveryMode, 'seed'>;

interface DescribedChoice {
  readonly text: string;
  readonly number?: readonly [label: string, first: number];
  readonly modeOf: (number: number) => DeliveryMode | undefined;
}

const SECOND_MS = 1000;

const MODE_CHOICES: Readonly<Record<ModeChoice, DescribedChoice>> = {
  none: { text: 'Send once, immediately', modeOf: () => undefined },
  hold: { text: 'Hold until released', modeOf: () => ({ hold: true }) },
  duplicate: { text: 'Send duplicates', number: ['Additional copies', 1], modeOf: (duplicate) => ({ duplicate }) },
  delay: { text: 'Delay', number: ['Seconds of kit time', 60], modeOf: (delay) => ({ delay: delay * SECOND_MS }) },
  reorder: {
    text: 'Deliver in a random order',
    number: ['Window in seconds of kit time', 60],
    modeOf: (window) => ({ reorder: { window: window * SECOND_MS } }),
  },
  dropAcknowledgement: {
    text: 'Lose acknowledgements, so that deliveries are repeated',
    number: ['Number of lost acknowledgements per delivery', 1],
    modeOf: (dropAcknowledgement) => ({ dropAcknowledgement }),
  },
};

interface DialogProps {
  readonly subscription: Schemas['SubscriptionInForce'];
  readonly onClose: () => void;
  readonly reload: () => Promise<void>;
}

export function ModeDialog({ subscription: { id: subscriptionId, alias, mode: deliveryMode }, onClose, reload }: DialogProps) {
  const current = (Object.keys(deliveryMode ?? {}) as ModeChoice[]).find((each) => each in MODE_CHOICES) ?? 'none';
  const [choice, choose] = useState<ModeChoice>(current);
  const [error, setError] = useState<Error>();
  const { number, modeOf } = MODE_CHOICES[choice];
  const save = async (value: number) => {
    const path = { params: { path: { subscriptionId } } };
    const body = modeOf(value);
    if (body) await getResponseData(control.PUT('/_control/subscriptions/{subscriptionId}/delivery-mode', { ...path, body }));
    else await getResponseData(control.DELETE('/_control/subscriptions/{subscriptionId}/delivery-mode', path));
    await reload();
    showToast(`The delivery mode of ${alias} was changed.`);
    onClose();
  };
  return (
    <Dialog title={`Delivery mode of ${alias}`} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void save(Number(new FormData(event.currentTarget).get('number'))).catch(setError);
        }}
      >
        <fieldset class="form choices">
          <legend>How deliveries are sent</legend>
          {(Object.keys(MODE_CHOICES) as ModeChoice[]).map((each) => (
            <label key={each} class="check">
              <input type="radio" name="mode" checked={choice === each} onChange={() => choose(each)} />
              {MODE_CHOICES[each].text}
            </label>
          ))}
        </fieldset>
        {number && (
          <label class="field" key={choice}>
            <span>{number[0]}</span>
            <input name="number" type="number" min={1} required defaultValue={String(number[1])} />
          </label>
        )}
        {error && <ErrorNote error={error} />}
        <div class="actions">
          <button type="submit" class="primary">
            Use this mode
          </button>
        </div>
      </form>
    </Dialog>
  );
}
