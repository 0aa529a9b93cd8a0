import type { ComponentProps } from 'preact';
import { Icon, type IconName } from './icon.tsx';

export type ButtonProps = Omit<ComponentProps<'button'>, 'icon' | 'label'> & {
  readonly icon?: IconName | undefined;
  /** The accessible name, if the text alone is ambiguous. */
  readonly label?: string | undefined;
};

export const Button = ({ icon, label, children, ...attributes }: ButtonProps) => (
  <button type="button" aria-label={label} {...attributes}>
    {icon && <Icon name={icon} />}
    {children}
  </button>
);
