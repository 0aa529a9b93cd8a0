import { entityForms } from '../../../../contract/generated/entity-forms.ts';
import type { JournalEntry } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { Badge, Method, Status } from '../../ui/badge.tsx';
import { buildHref } from '../../ui/href.ts';
import { EmptyNote, Loaded, Section } from '../../ui/page.tsx';
import { TimeText } from '../../ui/time.tsx';
import { type HistoryItem, loadHistory } from './load-history.ts';
import { buildEntityHref, type Collection, changeCount } from './model.ts';

/** @param name the entity's id or alias */
export function EntityHistory({ collection, name }: { collection: Collection; name: string }) {
  const history = useResource(() => loadHistory(collection, name), [name, changeCount.value]);
  return (
    <Section title="History" lead="Changes to this entity, events about it, and requests in the journal that mention it, newest first.">
      <Loaded from={history} lines={3}>
        {(happened) =>
          happened.length === 0 ? (
            <EmptyNote icon="clock" title="Nothing has happened yet">
              <p>Changes to this {entityForms[collection].singular} and requests about it appear here.</p>
            </EmptyNote>
          ) : (
            <ol class="timeline">
              {happened.map((each) => (
                <HistoryLine key={each.id} {...each} />
              ))}
            </ol>
          )
        }
      </Loaded>
    </Section>
  );
}

function HistoryLine({ at, what, actor, request }: HistoryItem) {
  return (
    <li>
      <TimeText ms={at} />
      <div>
        {what && <Badge tone="info">{what}</Badge>}
        <p>
          {what && <>by the {actor}</>} {request && <HistoryRequest {...request} />}
        </p>
      </div>
    </li>
  );
}

function HistoryRequest({ traceId, method, path, status, credential }: JournalEntry) {
  return (
    <>
      <a href={buildHref(`/requests/${traceId}`)}>
        <Method method={method} /> {path.split('?', 1)[0]}
      </a>{' '}
      <Status status={status} />
      {credential?.clientId && (
        <>
          {' '}
          by the <a href={buildEntityHref('clients', credential.clientId)}>client</a>
        </>
      )}
      {credential?.principalId && (
        <>
          {' '}
          for the <a href={buildEntityHref('principals', credential.principalId)}>principal</a>
        </>
      )}
    </>
  );
}
