import { call } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { Action } from '../../ui/button.tsx';
import { Json } from '../../ui/code.tsx';
import { buildHref, EmptyNote, Facts, LoadedSection } from '../../ui/page.tsx';
import { TimeText } from '../../ui/values.tsx';

const MAX_DELIVERIES_SHOWN = 100;

export function Inbox() {
  const inbox = useResource(() => call('readInbox'), [], { on: ['delivery'] });
  return (
    <LoadedSection
      from={inbox}
      empty={
        <EmptyNote title="The inbox is empty">
          <a href={buildHref('/events/subscriptions')}>Create a subscription</a> without a destination, then change the world.
        </EmptyNote>
      }
      title="Inbox"
      lead="Deliveries to subscriptions without a destination, newest first. Only the kit has an inbox; the service delivers events by webhook."
      actions={
        <Action
          run={() => call('emptyInbox')}
          done="The inbox is empty."
          isDisabled={(inbox.data ?? []).length === 0}
          text="Empty the inbox"
        />
      }
    >
      {(all) => (
        <>
          <div class="lines">
            {all
              .slice(-MAX_DELIVERIES_SHOWN)
              .reverse()
              .map(({ deliveryId, receivedAt, headers, body }, index) => (
                <details key={`${deliveryId} ${all.length - index}`}>
                  <summary class="row between">
                    <strong>{getEventType(body)}</strong>
                    <TimeText at={receivedAt} />
                  </summary>
                  <div class="stack answer">
                    <Facts class="text-2 mono" of={headers} />
                    <Json value={body} label="received body" />
                    <a href={buildHref('/events/signature', { delivery: deliveryId })}>Check the signature</a>
                  </div>
                </details>
              ))}
          </div>
          {all.length > MAX_DELIVERIES_SHOWN && (
            <small>
              The newest {MAX_DELIVERIES_SHOWN} of {all.length}. To list all, run xpk inbox.
            </small>
          )}
        </>
      )}
    </LoadedSection>
  );
}

function getEventType(body: unknown): string {
  const type = typeof body === 'object' && body !== null ? (body as { type?: unknown }).type : undefined;
  return typeof type === 'string' ? type : 'custom payload';
}
