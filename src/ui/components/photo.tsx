import { photoKey, photoPath, photoWidths } from '#src/lib/image-sizes.ts'
import './photo.css'

type PhotoProps = {
  /** URL of any of its copies, as the API returns it; null where there is no photo. */
  photo: string | null
  /** Name of the person; their initials are shown while there is no photo. */
  name: string
  /** Alternative text; empty where the name is beside it. */
  alt?: string
  /** Displayed width, as the `sizes` attribute of an image. */
  sizes: string
  /** Visible without scrolling: loaded eagerly. */
  eager?: boolean
  className?: string
}

/** An uploaded photo: the copy that fits, square, without layout shift; initials where there is none. */
export function Photo({ photo, name, alt = '', sizes, eager = false, className = '' }: PhotoProps) {
  const key = photoKey(photo)
  if (!key) return <Initials name={name} alt={alt} className={className} />
  const addresses = (format: 'avif' | 'jpeg') =>
    photoWidths.map((width) => `${photoPath(key, width, format)} ${width}w`).join(', ')
  return (
    <picture className={`photo ${className}`}>
      <source type="image/avif" srcSet={addresses('avif')} sizes={sizes} />
      <img
        src={photoPath(key, 320, 'jpeg')}
        srcSet={addresses('jpeg')}
        sizes={sizes}
        width="640"
        height="640"
        alt={alt}
        loading={eager ? 'eager' : 'lazy'}
        fetchPriority={eager ? 'high' : undefined}
        decoding="async"
      />
    </picture>
  )
}

function Initials({ name, alt, className }: { name: string; alt: string; className: string }) {
  return (
    <svg
      viewBox="0 0 160 160"
      width="640"
      height="640"
      focusable="false"
      className={`photo photo-initials ${className}`}
      {...(alt ? { role: 'img', 'aria-label': alt } : { 'aria-hidden': true })}
    >
      <path className="photo-frame" d="M32 160V84a48 48 0 0 1 96 0v76z" />
      <path className="photo-light" d="M41 160V84a39 39 0 0 1 78 0v76z" />
      <path className="photo-cord" d="M80 45v10" />
      <circle className="fill-lamp" cx="80" cy="60" r="7" />
      <text x="80" y="114" textAnchor="middle" className="photo-frame">
        {initialsOf(name)}
      </text>
      <path className="photo-frame" d="M18 134h124v10H18z" />
    </svg>
  )
}

/** First letters of the first and of the last name. */
export function initialsOf(name: string) {
  const words = name.trim().split(/\s+/)
  const nameWords = words.length > 1 ? [words[0], words.at(-1)] : words
  return nameWords.map((word) => [...(word ?? '')][0]?.toLocaleUpperCase('fr-CA') ?? '').join('')
}
