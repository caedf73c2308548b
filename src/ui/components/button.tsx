import type { ComponentProps } from 'react'
import { Link } from './link.tsx'
import { Spinner } from './spinner.tsx'

export type ButtonVariant = 'primary' | 'secondary' | 'danger' | 'link' | 'quiet'

type Look = {
  variant?: ButtonVariant
  size?: 'normal' | 'small'
  /** Takes the whole width of its container. */
  wide?: boolean
}

type ButtonProps = ComponentProps<'button'> &
  Look & {
    /** While work runs, the button stays focused and readable, and ignores clicks. */
    busy?: boolean
  }

export function Button({
  variant = 'primary',
  size,
  wide,
  busy = false,
  disabled,
  className,
  type = 'button',
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      className={buttonClass({ variant, size, wide }, className)}
      disabled={disabled}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {busy && <Spinner />}
      {/* A browser's translation replaces the text: only in an element of its own may the spinner come and go before it. */}
      <span className="contents">{children}</span>
    </button>
  )
}

type ButtonLinkProps = ComponentProps<typeof Link> & Look

/** A link to a page of the site that looks like a button. */
export function ButtonLink({ variant = 'primary', size, wide, className, ...rest }: ButtonLinkProps) {
  return <Link className={buttonClass({ variant, size, wide }, className)} {...rest} />
}

type ButtonAnchorProps = ComponentProps<'a'> & Look

/** An external link that looks like a button: phone, e-mail, another site, a file. */
export function ButtonAnchor({ variant = 'primary', size, wide, className, ...rest }: ButtonAnchorProps) {
  return <a className={buttonClass({ variant, size, wide }, className)} {...rest} />
}

function buttonClass({ variant, size, wide }: Look, more: string | undefined) {
  return ['button', `button-${variant}`, size === 'small' && 'button-small', wide && 'button-wide', more]
    .filter(Boolean)
    .join(' ')
}
