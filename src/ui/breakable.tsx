import { Fragment } from 'react'

/** A long address that breaks where it reads well: before its @, a dot, a slash or an underscore. */
export function Breakable({ text }: { text: string }) {
  return text.split(/(?=[@./_])/).map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- the parts of one text have no other name
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
