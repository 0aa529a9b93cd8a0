import { call, type JournalEntry, kitUrl, rootUrl, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Code, CopyButton } from '../../ui/code.tsx';
import { ConfirmButton } from '../../ui/dialog.tsx';
import { buildHref, EmptyNote, LoadedSection, Page, type PageProps } from '../../ui/page.tsx';
import { type Column, Table, withNote } from '../../ui/table.tsx';
import { formatPath, Method, Status, TimeText } from '../../ui/values.tsx';
import { Exchange } from '../requests/detail.tsx';

type World = Schemas['RunningWorld'];
type EndedWorld = Schemas['EndedWorld'];

/** The address under which this browser reaches a world's console, which differs from the kit's own URL behind a proxy. */
const buildConsoleUrl = (path: string) => `${rootUrl}${path}/_console/`;

const WORLDS: readonly Column<World>[] = [
  {
    name: 'World',
    class: 'one-line',
    cell: ({ name, label, path }) =>
      withNote(kitUrl === rootUrl + path ? <strong>{name} (this page)</strong> : <a href={buildConsoleUrl(path)}>{name}</a>, label),
  },
  { name: 'From', class: 'one-line muted wide-only', cell: ({ from, world }) => withNote(from, from === world ? '' : world) },
  { name: 'Created', class: 'muted wide-only', cell: ({ createdAt }) => <TimeText at={createdAt} /> },
  { name: 'Last used', class: 'muted wide-only', cell: ({ usedAt }) => <TimeText at={usedAt} /> },
  {
    name: 'Actions',
    class: 'right unnamed',
    cell: ({ name, path }) => (
      <span class="row">
        <CopyButton text={buildConsoleUrl(path)} label={`link to ${name}`} />
        <ConfirmButton
          text="End"
          label={`End ${name}`}
          title={`End ${name}`}
          action={`End ${name}`}
          warning="The world and everything in it are removed. Its latest requests can still be read."
          run={() => call('deleteWorld', { name })}
          done={`${name} has ended.`}
        />
      </span>
    ),
  },
];

const ENDED_WORLDS: readonly Column<EndedWorld>[] = [
  {
    name: 'World',
    class: 'one-line',
    cell: ({ name, label }) => withNote(<a href={buildHref(`/worlds/${encodeURIComponent(name)}`)}>{name}</a>, label),
  },
  { name: 'Ended', class: 'muted', cell: ({ endedAt }) => <TimeText at={endedAt} /> },
  { name: 'Requests', class: 'right', cell: ({ requests }) => requests },
];

const REQUESTS: readonly Column<JournalEntry>[] = [
  {
    name: 'Request',
    cell: (entry) => (
      <details>
        <summary>
          <Status status={entry.status} /> <Method method={entry.method} /> <span class="mono">{formatPath(entry.path)}</span>
        </summary>
        <Exchange entry={entry} />
      </details>
    ),
  },
  { name: 'Time', class: 'right muted medium', cell: ({ at }) => <TimeText at={at} /> },
];

const COMMANDS = `npx xpk world create checkout-test --url ${rootUrl}\nnpx xpk exec --world --url ${rootUrl} -- npm test`;

export default function Worlds({ params: { name } = {} }: PageProps) {
  return (
    <Page
      title="Worlds"
      lead="Each world has its own base URL, state, clock, faults and requests."
      actions={kitUrl === rootUrl ? undefined : <ButtonLink href={`${rootUrl}/_console/`} text="Open the first world" />}
    >
      {name === undefined ? <WorldList /> : <EndedWorldRequests name={name} />}
    </Page>
  );
}

function WorldList() {
  const worlds = useResource(() => call('listWorlds'), [], { everyMs: 5000 });
  const ended = useResource(() => call('listEndedWorlds'), [], { everyMs: 5000 });
  return (
    <>
      <LoadedSection
        title="Besides the first one"
        from={worlds}
        empty={
          <>
            <EmptyNote title="Only the first world" lead="Each of these commands creates another:" />
            <Code text={COMMANDS} label="commands" />
          </>
        }
      >
        {(rows) => <Table rows={rows} columns={WORLDS} />}
      </LoadedSection>
      <LoadedSection
        title="Ended"
        lead="The latest 100 requests to each of the latest 20 worlds that have ended."
        from={ended}
        empty={<EmptyNote title="No world has ended" lead="A world ends when a test deletes it, or when nobody has used it for a while." />}
      >
        {(rows) => <Table rows={rows} columns={ENDED_WORLDS} />}
      </LoadedSection>
    </>
  );
}

function EndedWorldRequests({ name }: { name: string }) {
  const requests = useResource(() => call('listEndedWorldRequests', { name }), [name]);
  return (
    <LoadedSection
      title={`Requests to ${name}`}
      lead="The world has ended. Its requests can only be read."
      actions={<ButtonLink href={buildHref('/worlds')} text="All worlds" />}
      from={requests}
      empty={<EmptyNote title="No request was sent to this world" />}
    >
      {(rows) => <Table rows={rows} columns={REQUESTS} />}
    </LoadedSection>
  );
}
