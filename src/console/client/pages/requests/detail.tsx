import { useLocation } from 'preact-iso/router';
import { call, type JournalEntry } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { Action } from '../../ui/button.tsx';
import { CopyButton, Json } from '../../ui/code.tsx';
import { Detail } from '../../ui/detail.tsx';
import { DialogButton } from '../../ui/dialog.tsx';
import { buildHref, Facts, Loaded, Part, pickQuery } from '../../ui/page.tsx';
import { EntityName, Method, Named, Status, TimeText } from '../../ui/values.tsx';
import { FaultForm } from '../clock/faults.tsx';
import { RequestExplanation, useSendAgain } from './explanation.tsx';
import { findResendObstacle, formatCurl, prepareRequest } from './prepare-request.ts';
import { filterNames } from './rows.ts';

export function RequestDetail({ traceId }: { traceId: string }) {
  const { query } = useLocation();
  const loaded = useResource(async () => {
    const [entry, explanation] = await Promise.all([call('readRequest', { traceId }), call('explain', { traceId })]);
    return { entry, explanation };
  }, [traceId]);
  return (
    <Detail
      label="Request"
      back={buildHref('/requests', pickQuery(query, filterNames))}
      from={loaded}
      head={({ entry }) => <RequestTitle entry={entry} />}
    >
      {(data) => (
        <>
          <RequestActions entry={data.entry} />
          <RequestExplanation {...data} />
          <Exchange entry={data.entry} />
        </>
      )}
    </Detail>
  );
}

const RequestTitle = ({ entry: { method, path, status, operationId, at, durationMs } }: { entry: JournalEntry }) => (
  <>
    <h2>
      <Status status={status} /> <Method method={method} />{' '}
      <span class="mono" title={path}>
        <Named text={path} />
      </span>
    </h2>
    <p class="row facts muted text-2">
      {operationId && <span>{operationId}</span>}
      <TimeText at={at} />
      <span class="num">{durationMs.toFixed(1)} ms</span>
    </p>
  </>
);

function RequestActions({ entry }: { entry: JournalEntry }) {
  const sendAgain = useSendAgain();
  const reason = findResendObstacle(entry);
  if (reason !== undefined) return <small>{reason}</small>;
  return (
    <div class="row">
      <Action run={() => sendAgain(entry)} icon="repeat" text="Send again" />
      <CopyButton text={async () => formatCurl(await prepareRequest(entry))} label="as curl, with a new token">
        Copy as curl
      </CopyButton>
      {entry.door === 'service' && entry.operationId && (
        <DialogButton text="Answer differently" title="Answer such requests differently">
          {(close) => <FaultLike entry={entry} onClose={close} />}
        </DialogButton>
      )}
    </div>
  );
}

function FaultLike({ entry: { traceId, operationId }, onClose }: { entry: JournalEntry; onClose: () => void }) {
  const operations = useResource(async () => (await call('listOperations')).filter((each) => each.operationId === operationId));
  return (
    <Loaded from={operations}>
      {(own) => <FaultForm operations={own} initial={{ like: traceId, fault: 'problem', times: 1 }} onClose={onClose} />}
    </Loaded>
  );
}

export function Exchange({ entry }: { entry: JournalEntry }) {
  const { traceId, request, response, credential, connection, step, oauth } = entry;
  return (
    <>
      <Part title="Response">
        {response?.body === undefined ? <p class="muted">No body</p> : <Json value={response.body} label="response body" />}
        <TruncationNote message={response} />
      </Part>
      <Part title="Request">
        {request?.body !== undefined && <Json value={request.body} label="request body" />}
        <TruncationNote message={request} />
        <Facts class="text-2 mono" of={request?.headers ?? {}} />
      </Part>
      {credential && (
        <Part title="Credential">
          <Facts
            class="text-2"
            of={{
              Client: credential.clientId && <EntityName id={credential.clientId} />,
              Principal: credential.principalId && <EntityName id={credential.principalId} />,
              Scopes: credential.scopes?.join(' '),
              'Expires at': credential.expiresAt,
              Problem: credential.problem,
              Fingerprint: credential.fingerprint,
            }}
          />
          <a href={buildHref('/requests', { credential: credential.fingerprint })}>Requests with this token</a>
        </Part>
      )}
      {oauth && (
        <Part title="OAuth">
          <Json value={oauth} label="OAuth facts" />
        </Part>
      )}
      <Part title="Trace">
        <Facts
          class="text-2"
          of={{
            'Trace id': traceId,
            Step: step,
            Connection: connection && `${connection.number}, open for ${Math.round(connection.ageMs)} ms`,
          }}
        />
      </Part>
    </>
  );
}

const TruncationNote = ({ message }: { message: JournalEntry['response'] }) =>
  message?.truncated ? <small>Only the first part of {message.bodyBytes} bytes was kept.</small> : null;
