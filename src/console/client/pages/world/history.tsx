import { entityForms } from '../../../../contract/generated/entity-forms.ts';
import type { JournalEntry } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { Badge, Method, Status } from '../../ui/badge.tsx';
import { hrefOf } from '../../ui/href.ts';
import { Empty, Loaded, Section } from '../../ui/page.tsx';
import { TimeText } from '../../ui/time.tsx';
import { type Happened, loadHistory } from './load-history.ts';
import { type Collection, changes, type Entity, entityHref } from './model.ts';

/** What happened to an entity: its events with their causes, and the requests about it. */
export function History({ collection, entity }: { collection: Collection; entity: Entity }) {
  const history = useResource(() => loadHistory(collection, entity), [changes.value]);
  return (
    <Section title="History" lead="The events about it and the requests that name it, as long as the journal has them. Newest first.">
      <Loaded from={history} lines={3}>
        {(happened) =>
          happened.length === 0 ? (
            <Empty icon="clock" title="Nothing happened to it yet">
              <p>Events of this {entityForms[collection].singular} and requests about it appear here.</p>
            </Empty>
          ) : (
            <ol class="timeline">
              {happened.map((each) => (
                <Line key={each.event?.id ?? each.request?.number} {...each} />
              ))}
            </ol>
          )
        }
      </Loaded>
    </Section>
  );
}

function Line({ at, event, request }: Happened) {
  return (
    <li>
      <TimeText ms={at} />
      <div>
        {event && <Badge tone="info">{event.type}</Badge>}
        <p>
          {event && 'by '}
          {request ? <Request {...request} /> : 'the portal or the platform'}
        </p>
      </div>
    </li>
  );
}

function Request({ traceId, method, path, status, credential }: JournalEntry) {
  return (
    <>
      <a href={hrefOf(`/requests/${traceId}`)}>
        <Method method={method} /> {path.split('?', 1)[0]}
      </a>{' '}
      <Status status={status} />
      {credential?.clientId && (
        <>
          {' '}
          of the <a href={entityHref('clients', credential.clientId)}>client</a>
        </>
      )}
      {credential?.principalId && (
        <>
          {' '}
          for the <a href={entityHref('principals', credential.principalId)}>principal</a>
        </>
      )}
    </>
  );
}
