import type { ComponentChildren } from 'preact';
import { consolePath, control, type Schemas } from '../../kit/control.ts';
import { useResource } from '../../kit/resource.ts';
import { clock, faults, info, kitNow } from '../../kit/state.ts';
import { connection } from '../../kit/stream.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { formatOffset, TimeText } from '../../ui/time.tsx';

const DATABASE_STATES: Readonly<Record<Schemas['Health']['parts']['database']['status'], Tone>> = {
  up: 'good',
  busy: 'warn',
  'read-only': 'warn',
  down: 'bad',
};
const STREAM_STATES = { live: ['good', 'live'], connecting: ['info', 'connecting'], lost: ['bad', 'lost'] } as const;
const REFRESH_MS = 5000;

export function Health() {
  // A 503 response also has a body of this type, in `error`.
  const health = useResource(
    async () => {
      const { data, error } = await control.GET('/_control/health');
      return (data ?? error) as Schemas['Health'];
    },
    [],
    REFRESH_MS,
  );
  const database = health.data?.parts?.database;
  const [tone, text] = STREAM_STATES[connection.value];
  const active = faults.value?.length ?? 0;
  return (
    <dl class="tiles" aria-label="Kit state">
      <HealthTile
        name="Database"
        note={database?.reason ?? (health.data && `${health.data.engine}, ${formatProcessCount(info.value?.replicas)}`)}
      >
        {database ? <Badge tone={DATABASE_STATES[database.status]}>{database.status}</Badge> : <Badge>…</Badge>}
      </HealthTile>
      <HealthTile name="Live updates" note="control API stream">
        <Badge tone={tone}>{text}</Badge>
      </HealthTile>
      <HealthTile name="World" note={info.value && `version ${info.value.version}`}>
        {info.value?.world ?? '…'}
      </HealthTile>
      <HealthTile name="Kit time" note={clock.value && formatOffset(clock.value.offsetMs)} href="/clock">
        <TimeText ms={kitNow.value} />
      </HealthTile>
      <HealthTile name="Faults" note={active === 0 ? 'the kit answers as documented' : 'requests fail on purpose'} href="/clock">
        <Badge tone={active === 0 ? 'plain' : 'warn'}>{active === 0 ? 'none' : `${active} active`}</Badge>
      </HealthTile>
    </dl>
  );
}

const formatProcessCount = (count = 1) => (count === 1 ? 'one process' : `${count} processes`);

interface TileProps {
  readonly name: string;
  readonly note: string | undefined;
  readonly href?: string;
  readonly children: ComponentChildren;
}

function HealthTile({ name, note, href, children }: TileProps) {
  return (
    <div class="tile">
      <dt>{href === undefined ? name : <a href={`${consolePath}${href}`}>{name}</a>}</dt>
      <dd>{children}</dd>
      <dd class="tile-note">{note ?? ' '}</dd>
    </div>
  );
}
