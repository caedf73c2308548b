import { Fragment } from 'react'

const short = 20

/** Breaks a long address before its @ or a slash; in a long part also before a dot or an underscore. */
export function Breakable({ text }: { text: string }) {
  const parts = text.split(/(?=[@/])/).flatMap((part) => (part.length > short ? part.split(/(?=[._])/) : part))
  return parts.map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- the parts of one text have no other name
    <Fragment key={index}>
      {index > 0 && <wbr />}
      <span>{part}</span>
    </Fragment>
  ))
}
