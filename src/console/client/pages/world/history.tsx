import { entityForms } from '../../../../contract/generated/entity-forms.ts';
import type { JournalEntry } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { Badge, Method, Status } from '../../ui/badge.tsx';
import { hrefOf } from '../../ui/href.ts';
import { Empty, Loaded, Section } from '../../ui/page.tsx';
import { TimeText } from '../../ui/time.tsx';
import { type Happened, loadHistory } from './load-history.ts';
import { type Collection, changes, entityHref } from './model.ts';

/** What happened to an entity: its changes and events, each with its actor, and the requests about it. @param name its id or alias */
export function History({ collection, name }: { collection: Collection; name: string }) {
  const history = useResource(() => loadHistory(collection, name), [name, changes.value]);
  return (
    <Section title="History" lead="Its changes and events, and the requests that name it, as long as the journal has them. Newest first.">
      <Loaded from={history} lines={3}>
        {(happened) =>
          happened.length === 0 ? (
            <Empty icon="clock" title="Nothing happened to it yet">
              <p>Changes of this {entityForms[collection].singular} and requests about it appear here.</p>
            </Empty>
          ) : (
            <ol class="timeline">
              {happened.map((each) => (
                <Line key={each.id} {...each} />
              ))}
            </ol>
          )
        }
      </Loaded>
    </Section>
  );
}

function Line({ at, what, actor, request }: Happened) {
  return (
    <li>
      <TimeText ms={at} />
      <div>
        {what && <Badge tone="info">{what}</Badge>}
        <p>
          {what && <>by the {actor}</>} {request && <Request {...request} />}
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
