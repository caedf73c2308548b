type RobotTrapsProps = {
  /** The second trap, a field out of sight, of the service-call form (spec.md 5). */
  withUsername?: boolean
  /** The server's word for when the form was shown; null where a script counts. */
  shownAt: string | null
}

/** Fields that no person fills. Password managers are told to leave them alone: what they fill would be dropped. */
export function RobotTraps({ withUsername = false, shownAt }: RobotTrapsProps) {
  return (
    <>
      <input type="hidden" name="honey" defaultValue="" />
      {shownAt && <input type="hidden" name="shown_at" value={shownAt} readOnly />}
      {withUsername && (
        <div className="absolute -left-[9999px]" aria-hidden="true">
          <input
            type="text"
            name="username"
            defaultValue=""
            tabIndex={-1}
            autoComplete="off"
            data-1p-ignore=""
            data-bwignore=""
            data-lpignore="true"
            data-form-type="other"
          />
        </div>
      )}
    </>
  )
}
