type RobotTrapsProps = {
  /** The second trap of the service-call form. */
  withUsername?: boolean
  clientId: string
}

/** What 1Password, Bitwarden, LastPass and Dashlane read. */
const leftAlone = { 'data-1p-ignore': '', 'data-bwignore': '', 'data-lpignore': 'true', 'data-form-type': 'other' }

/** The form's own id, and fields that no person fills: out of sight without the style sheet too, and password managers are told to leave them alone. */
export function RobotTraps({ withUsername = false, clientId }: RobotTrapsProps) {
  return (
    <div hidden>
      {/* A text field: the browser keeps its value apart from the rendered one, and restores it with the others. */}
      <input type="text" name="client_id" defaultValue={clientId} tabIndex={-1} {...leftAlone} />
      <Trap name="honey" />
      {withUsername && <Trap name="username" />}
    </div>
  )
}

function Trap({ name }: { name: string }) {
  return (
    <label>
      Laissez vide / Leave empty
      <input type="text" name={name} defaultValue="" tabIndex={-1} autoComplete="off" {...leftAlone} />
    </label>
  )
}
