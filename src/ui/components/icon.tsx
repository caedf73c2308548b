import type { ReactNode, SVGProps } from 'react'

type IconProps = Omit<SVGProps<SVGSVGElement>, 'children'> & {
  size?: number
  /** Accessible name where there is no text beside it; without it the icon is decorative. */
  label?: string
}

/** An SVG icon on a 24-unit grid. */
function Drawing({ size = 20, label, children, ...rest }: IconProps & { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      focusable="false"
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
      {...rest}
    >
      {children}
    </svg>
  )
}

/** Creates an icon from the data of one path. */
export const pathIcon = (d: string) => (props: IconProps) => (
  <Drawing {...props}>
    <path d={d} />
  </Drawing>
)

/** Creates an icon that is mirrored in right-to-left text. */
export const directionalIcon = (d: string) => {
  const Icon = pathIcon(d)
  return (props: IconProps) => <Icon data-directional="" {...props} />
}
