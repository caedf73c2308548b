import type { ReactNode, SVGProps } from 'react'

type IconProps = Omit<SVGProps<SVGSVGElement>, 'children'> & {
  size?: number
  /** What it says, where no word beside it does; without it the icon is decoration. */
  label?: string
}

/** One drawing on a 24-unit grid. */
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

/** Makes an icon out of the data of one path. */
export const pathIcon = (d: string) => (props: IconProps) => (
  <Drawing {...props}>
    <path d={d} />
  </Drawing>
)

/** One that points where the text goes on or came from: to the other side where it reads from right to left. */
export const directionalIcon = (d: string) => {
  const Icon = pathIcon(d)
  return (props: IconProps) => <Icon data-directionalIcon="" {...props} />
}

export const solid = (d: string) => (props: IconProps) => (
  <Drawing fill="currentColor" stroke="none" {...props}>
    <path d={d} />
  </Drawing>
)
