import { control, getResponseData } from '../../kit/control.ts';
import { useLive } from '../../kit/live.ts';
import { buildHref } from '../../ui/href.ts';
import { Json } from '../../ui/json.tsx';
import { EmptyNote, Loaded, Section } from '../../ui/page.tsx';
import { TimeText } from '../../ui/time.tsx';
import { runAction } from '../../ui/toast.tsx';

const MAX_DELIVERIES_SHOWN = 100;

/** Shows the headers and body of each delivery to a subscription without a destination. */
export function Inbox() {
  const inbox = useLive(() => getResponseData(control.GET('/_control/inbox')), [], ['delivery']);
  const isEmpty = (inbox.data ?? []).length === 0;
  const emptyInbox = async () => {
    await getResponseData(control.DELETE('/_control/inbox'));
    await inbox.reload();
  };
  return (
    <Section
      title="Inbox"
      lead="Deliveries to subscriptions without a destination, newest first. Only the kit has an inbox; the service delivers events by webhook."
      actions={
        <button type="button" aria-disabled={isEmpty} onClick={() => isEmpty || void runAction(emptyInbox, 'The inbox is empty.')}>
          Empty the inbox
        </button>
      }
    >
      <Loaded from={inbox} lines={6}>
        {(all) =>
          all.length === 0 ? (
            <EmptyNote icon="events" title="The inbox is empty">
              <p>
                <a href={buildHref('/events/subscriptions')}>Create a subscription</a> without a destination, then change the world.
              </p>
            </EmptyNote>
          ) : (
            <>
              <div class="inbox">
                {all
                  .slice(-MAX_DELIVERIES_SHOWN)
                  .reverse()
                  .map(({ deliveryId, receivedAt, headers, body }, index) => (
                    <details key={`${deliveryId} ${all.length - index}`}>
                      <summary>
                        <strong>{getEventType(body)}</strong>
                        <TimeText ms={Date.parse(receivedAt)} />
                      </summary>
                      <dl class="facts-list small">
                        {Object.entries(headers).map(([name, value]) => [
                          <dt key={name}>
                            <code>{name}</code>
                          </dt>,
                          <dd key={`${name} value`}>
                            <code>{value}</code>
                          </dd>,
                        ])}
                      </dl>
                      <Json value={body} label="received body" />
                      <p>
                        <a href={buildHref('/events/signature', { delivery: deliveryId })}>Check the signature</a>
                      </p>
                    </details>
                  ))}
              </div>
              {all.length > MAX_DELIVERIES_SHOWN && (
                <small>
                  The newest {MAX_DELIVERIES_SHOWN} of {all.length}. To list all, run xpk inbox.
                </small>
              )}
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

function getEventType(body: unknown): string {
  const type = typeof body === 'object' && body !== null ? (body as { type?: unknown }).type : undefined;
  return typeof type === 'string' ? type : 'custom payload';
}
