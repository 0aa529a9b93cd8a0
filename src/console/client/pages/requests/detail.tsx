import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { control, getResponseData, type JournalEntry } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { Method, Status } from '../../ui/badge.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { buildHref } from '../../ui/href.ts';
import { Icon } from '../../ui/icon.tsx';
import { Json } from '../../ui/json.tsx';
import { ErrorNote, Skeleton } from '../../ui/page.tsx';
import { TimeText } from '../../ui/time.tsx';
import { runAction } from '../../ui/toast.tsx';
import { RequestExplanation } from './explanation.tsx';
import type { RequestFilter } from './filter.ts';
import { findResendObstacle, formatCurl, prepareRequest, sendPreparedRequest } from './prepare-request.ts';

interface DetailProps {
  readonly traceId: string;
  readonly filter: RequestFilter;
}

export function RequestDetail({ traceId, filter }: DetailProps) {
  const path = { params: { path: { traceId } } };
  const loaded = useResource(async () => {
    const [entry, explanation] = await Promise.all([
      getResponseData(control.GET('/_control/requests/{traceId}', path)),
      getResponseData(control.GET('/_control/explain/{traceId}', path)),
    ]);
    return { entry, explanation };
  }, [traceId]);
  const panel = useRef<HTMLElement>(null);
  // On a narrow screen, the detail may be outside the visible part of the page.
  useEffect(() => panel.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <article class="detail" ref={panel} aria-label="Request">
      <header class="detail-head">
        <a class="button close" href={buildHref('/requests', { ...filter })} aria-label="Close the detail">
          <Icon name="close" />
        </a>
        {loaded.data ? <RequestTitle entry={loaded.data.entry} /> : <h2>Request {traceId}</h2>}
      </header>
      {loaded.error && <ErrorNote error={loaded.error} />}
      {!loaded.data && !loaded.error && <Skeleton lines={10} />}
      {loaded.data && (
        <>
          <RequestActions entry={loaded.data.entry} filter={filter} />
          <RequestExplanation {...loaded.data} filter={filter} />
          <Exchange entry={loaded.data.entry} />
        </>
      )}
    </article>
  );
}

function RequestTitle({ entry: { method, path, status, operationId, at, durationMs } }: { entry: JournalEntry }) {
  return (
    <div>
      <h2>
        <Status status={status} /> <Method method={method} /> <span>{path}</span>
      </h2>
      <p class="detail-facts">
        {operationId && <span>{operationId}</span>}
        <TimeText ms={Date.parse(at)} />
        <span class="num">{durationMs.toFixed(1)} ms</span>
      </p>
    </div>
  );
}

function RequestActions({ entry, filter }: { entry: JournalEntry; filter: RequestFilter }) {
  const { route } = useLocation();
  const reason = findResendObstacle(entry);
  if (reason !== undefined)
    return (
      <p>
        <small>{reason}</small>
      </p>
    );
  const sendAgain = async () => {
    const traceId = await runAction(async () => sendPreparedRequest(await prepareRequest(entry)), 'The request was sent again.');
    if (traceId !== undefined) route(buildHref(`/requests/${traceId}`, { ...filter }));
  };
  return (
    <div class="actions">
      <button type="button" onClick={() => void sendAgain()}>
        <Icon name="repeat" /> Send again
      </button>
      <CopyButton text={async () => formatCurl(await prepareRequest(entry))} label="as curl, with a new token">
        Copy as curl
      </CopyButton>
    </div>
  );
}

function Exchange({ entry }: { entry: JournalEntry }) {
  const { traceId, request, response, credential, connection, step, oauth } = entry;
  return (
    <>
      <ExchangePart title="Response">
        {response?.body === undefined ? <p class="none">No body</p> : <Json value={response.body} label="response body" />}
        <TruncationNote message={response} />
      </ExchangePart>
      <ExchangePart title="Request">
        {request?.body !== undefined && <Json value={request.body} label="request body" />}
        <TruncationNote message={request} />
        <FactList facts={request?.headers ?? {}} isCode />
      </ExchangePart>
      {credential && (
        <ExchangePart title="Credential">
          <FactList
            facts={{
              Client: credential.clientId,
              Principal: credential.principalId,
              Scopes: credential.scopes?.join(' '),
              'Expires at': credential.expiresAt,
              Problem: credential.problem,
              Fingerprint: credential.fingerprint,
            }}
          />
          <p>
            <a href={buildHref('/requests', { credential: credential.fingerprint })}>Requests with this token</a>
          </p>
        </ExchangePart>
      )}
      {oauth && (
        <ExchangePart title="OAuth">
          <Json value={oauth} label="OAuth facts" />
        </ExchangePart>
      )}
      <ExchangePart title="Trace">
        <FactList
          facts={{
            'Trace id': traceId,
            Step: step,
            Connection: connection && `${connection.number}, open for ${Math.round(connection.ageMs)} ms`,
          }}
        />
      </ExchangePart>
    </>
  );
}

function ExchangePart({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="part">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

const TruncationNote = ({ message }: { message: JournalEntry['response'] }) =>
  message?.truncated ? <small>Only the first 16 KiB of {message.bodyBytes} bytes were kept.</small> : null;

function FactList({ facts, isCode = false }: { facts: Readonly<Record<string, string | undefined>>; isCode?: boolean }) {
  const given = Object.entries(facts).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return (
    <dl class="facts-list small">
      {given.map(([name, value]) => [
        <dt key={name}>{isCode ? <code>{name}</code> : name}</dt>,
        <dd key={`${name} value`}>{isCode ? <code>{value}</code> : value}</dd>,
      ])}
    </dl>
  );
}
