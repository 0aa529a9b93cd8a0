import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Schemas } from '../../kit/control.ts';
import { Icon } from '../../ui/icon.tsx';
import { TimeText } from '../../ui/time.tsx';

interface ArrangeProps {
  readonly order: readonly Schemas['Delivery'][];
  readonly onChange: (ids: readonly string[]) => void;
}

export function ArrangeDeliveries({ order, onChange }: ArrangeProps) {
  const list = useRef<HTMLOListElement>(null);
  const moved = useRef<{ id: string; by: 1 | -1 } | undefined>(undefined);
  const [message, announce] = useState('');
  const [dragged, drag] = useState<string>();
  // Restores the focus, because a button loses the focus when it moves.
  useLayoutEffect(() => {
    if (moved.current === undefined) return;
    const { id, by } = moved.current;
    moved.current = undefined;
    list.current?.querySelector<HTMLElement>(`[data-move="${id} ${by}"]`)?.focus();
  });
  const ids = order.map(({ id }) => id);
  const moveDelivery = (id: string, to: number) => {
    const others = ids.filter((each) => each !== id);
    onChange(others.toSpliced(to, 0, id));
    announce(`Now ${to + 1} of ${ids.length}.`);
  };
  return (
    <>
      <ol class="lines arrange" ref={list} aria-label="Held deliveries in release order">
        {order.map(({ id, type, entityId, createdAt }, index) => (
          <li
            key={id}
            class="row nowrap"
            draggable
            data-dragged={dragged === id}
            onDragStart={() => drag(id)}
            onDragEnd={() => drag(undefined)}
            onDragOver={(event) => {
              event.preventDefault();
              if (dragged !== undefined && dragged !== id) moveDelivery(dragged, index);
            }}
          >
            <span class="num muted position">{index + 1}</span>
            <div class="fill">
              <strong>{type}</strong>
              <small>
                {entityId || 'no entity'} · <TimeText ms={Date.parse(createdAt)} format="time" />
              </small>
            </div>
            {([-1, 1] as const).map((by) => (
              <button
                key={by}
                type="button"
                class="quiet"
                data-move={`${id} ${by}`}
                aria-disabled={!ids[index + by]}
                aria-label={`Move ${type} from position ${index + 1} ${by < 0 ? 'up' : 'down'}`}
                onClick={() => {
                  if (!ids[index + by]) return;
                  moved.current = { id, by };
                  moveDelivery(id, index + by);
                }}
              >
                <Icon name={by < 0 ? 'up' : 'down'} />
              </button>
            ))}
          </li>
        ))}
      </ol>
      <p class="visually-hidden" role="status">
        {message}
      </p>
    </>
  );
}
