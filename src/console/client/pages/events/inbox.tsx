import { control, dataOf } from '../../kit/control.ts';
import { useLive } from '../../kit/live.ts';
import { hrefOf } from '../../ui/href.ts';
import { Json } from '../../ui/json.tsx';
import { Empty, Loaded, Section } from '../../ui/page.tsx';
import { TimeText } from '../../ui/time.tsx';
import { attempt } from '../../ui/toast.tsx';

const SHOWN = 100;

/** What subscriptions without a destination received, as a receiver sees it. */
export function Inbox() {
  const inbox = useLive(() => dataOf(control.GET('/_control/inbox')), [], ['delivery']);
  const isEmpty = (inbox.data ?? []).length === 0;
  const empty = async () => {
    await dataOf(control.DELETE('/_control/inbox'));
    await inbox.reload();
  };
  return (
    <Section
      title="Inbox"
      lead="Deliveries to subscriptions without a destination, the newest first. Only the kit has an inbox; the service delivers by webhooks."
      actions={
        <button type="button" aria-disabled={isEmpty} onClick={() => isEmpty || void attempt(empty, 'The inbox is empty.')}>
          Empty the inbox
        </button>
      }
    >
      <Loaded from={inbox} lines={6}>
        {(all) =>
          all.length === 0 ? (
            <Empty icon="events" title="The inbox is empty">
              <p>
                <a href={hrefOf('/events/subscriptions')}>Create a subscription</a> without a destination, then change the world.
              </p>
            </Empty>
          ) : (
            <>
              <div class="inbox">
                {all
                  .slice(-SHOWN)
                  .reverse()
                  .map(({ deliveryId, receivedAt, headers, body }, index) => (
                    <details key={`${deliveryId} ${all.length - index}`}>
                      <summary>
                        <strong>{typeOf(body)}</strong>
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
                        <a href={hrefOf('/events/signature', { delivery: deliveryId })}>Check the signature</a>
                      </p>
                    </details>
                  ))}
              </div>
              {all.length > SHOWN && (
                <small>
                  The newest {SHOWN} of {all.length}. The command xpk inbox lists all.
                </small>
              )}
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

/** The type in an envelope. A custom payload may be anything. */
function typeOf(body: unknown): string {
  const type = typeof body === 'object' && body !== null ? (body as { type?: unknown }).type : undefined;
  return typeof type === 'string' ? type : 'custom payload';
}
