const SHAPES = {
  brand: 'M3.5 4.5 7 8l-3.5 3.5M8.5 12H13',
  overview: 'M2.5 2.5h4.5v5H2.5zM9 2.5h4.5v3H9zM9 8h4.5v5.5H9zM2.5 10h4.5v3.5H2.5z',
  requests: 'M2 5.5h10.5m-3-3 3 3-3 3M14 10.5H3.5m3 3-3-3 3-3',
  world: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM2 8h12M8 1.8c4 4 4 8.4 0 12.4-4-4-4-8.4 0-12.4',
  events: 'M8.8 1.5 3 9h4.500l-.8 5.500L13 7H8.300z',
  clock: 'M8 1.800a6.2 6.2 0 1 0 0 12.400A6.2 6.2 0 0 0 8 1.800zM8 4.500V8l2.5 1.5',
  reports: 'M3.5 1.800h6l3 3v9.400h-9zM9.5 1.800v3h3M5.8 8h4.500M5.8 11h4.5',
  search: 'M7 2.5a4.500 4.500 0 1 0 0 9 4.500 4.500 0 0 0 0-9zM10.3 10.3 14 14',
  sun: 'M8 5.200a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.600zM8 1v1.500M8 13.500V15M1 8h1.500M13.5 8H15M3 3l1.1 1.100M11.9 11.9 13 13M3 13l1.1-1.100M11.9 4.1 13 3',
  moon: 'M13.5 9.500A6 6 0 0 1 6.5 2.500a6 6 0 1 0 7 7z',
  copy: 'M5.5 5.500h8v8h-8zM10.5 5.500v-3h-8v8h3',
  check: 'M3 8.5 6.5 12 13 4.5',
  close: 'M3.5 3.500l9 9M12.5 3.500l-9 9',
  up: 'M8 13V3.5M3.500 7.500 8 3l4.500 4.500',
  down: 'M8 3v9.500M3.500 8.500 8 13l4.500-4.500',
  repeat: 'M13 3v3.500H9.500M13 6.300A5.5 5.5 0 1 0 13.4 9',
  forward: 'M2.5 3.5 7.5 8l-5 4.500zM8.5 3.5 13.5 8l-5 4.500z',
  plus: 'M8 3v10M3 8h10',
  bin: 'M3 4.500h10M6 4.500V2.500h4v2M4.5 4.500l.6 9h5.800l.6-9',
  alert: 'M8 2 14.5 13.500h-13zM8 6.500V9.500M8 11.500v.2',
  spark: 'M8 1.5 9.6 6.4 14.5 8 9.6 9.6 8 14.5 6.4 9.6 1.5 8 6.4 6.400z',
} as const;

export type IconName = keyof typeof SHAPES;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
      <path d={SHAPES[name]} />
    </svg>
  );
}
