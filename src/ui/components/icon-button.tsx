import type { ComponentProps, ReactNode } from 'react'

type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> & {
  /** Accessible name. */
  label: string
  icon: ReactNode
}

export function IconButton({ label, icon, className = '', type = 'button', ...rest }: IconButtonProps) {
  return (
    <button type={type} className={`button button-quiet button-icon ${className}`} aria-label={label} title={label} {...rest}>
      {icon}
    </button>
  )
}
