const SHAPES = {
  brand: 'M3.5 4.5 7 8l-3.5 3.5M8.5 12H13',
  overview: 'M2.5 2.5h4.5v5H2.5zM9 2.5h4.5v3H9zM9 8h4.5v5.5H9zM2.5 10h4.5v3.5H2.5z',
  requests: 'M2 5.5h10.5m-3-3 3 3-3 3M14 10.5H3.5m3 3-3-3 3-3',
  world: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM2 8h12M8 1.8c4 4 4 8.4 0 12.4-4-4-4-8.4 0-12.4',
  events: 'M8.8 1.5 3 9h4.5l-.8 5.5L13 7H8.3z',
  clock: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM8 4.5V8l2.5 1.5',
  reports: 'M3.5 1.8h6l3 3v9.4h-9zM9.5 1.8v3h3M5.8 8h4.5M5.8 11h4.5',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.3 10.3 14 14',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1.1 1.1M11.9 11.9 13 13M3 13l1.1-1.1M11.9 4.1 13 3',
  moon: 'M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  check: 'M3 8.5 6.5 12 13 4.5',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  up: 'M8 13V3.5M3.5 7.5 8 3l4.5 4.5',
  down: 'M8 3v9.5M3.5 8.5 8 13l4.5-4.5',
  repeat: 'M13 3v3.5H9.5M13 6.3A5.5 5.5 0 1 0 13.4 9',
  forward: 'M2.5 3.5 7.5 8l-5 4.5zM8.5 3.5 13.5 8l-5 4.5z',
  plus: 'M8 3v10M3 8h10',
  bin: 'M3 4.5h10M6 4.5V2.5h4v2M4.5 4.5l.6 9h5.8l.6-9',
  alert: 'M8 2 14.5 13.5h-13zM8 6.5V9.5M8 11.5v.2',
  spark: 'M8 1.5 9.6 6.4 14.5 8 9.6 9.6 8 14.5 6.4 9.6 1.5 8 6.4 6.4z',
} as const;

export type IconName = keyof typeof SHAPES;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={SHAPES[name]} />
    </svg>
  );
}
