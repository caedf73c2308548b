import type { FocusEvent } from 'react'
import { foldOnEscape } from '#src/ui/fold-on-escape.ts'
import { Lamp } from '#src/ui/lamp.tsx'
import { useTexts } from '#src/ui/language.tsx'
import { staffTexts } from '../../staff-texts.ts'
import type { StaffPresence } from '../../values.ts'

/** Who is in the administration, who of them answers, and how many chats each has. */
export function PresenceList({ users }: { users: StaffPresence[] }) {
  const t = useTexts(staffTexts)
  const available = users.filter((user) => user.available).length
  const handleBlur = ({ currentTarget, relatedTarget }: FocusEvent<HTMLDetailsElement>) => {
    if (!currentTarget.contains(relatedTarget)) currentTarget.open = false
  }
  return (
    <details className="console-presence" onBlur={handleBlur} onKeyDown={foldOnEscape}>
      <summary>
        {t('online')} <strong className="tabular">{available}</strong>
      </summary>
      <ul>
        {users.map((user) => (
          <li key={user.id_user} className="flex items-baseline justify-between gap-6">
            <Lamp on={user.available}>
              {user.user_name}
              <span className="sr-only"> ({t(user.available ? 'available' : 'unavailable')})</span>
            </Lamp>
            <span className="tabular text-sm whitespace-nowrap text-ink-2">
              {user.can_answer ? t('chats', { count: user.chats }) : t('reads')}
            </span>
          </li>
        ))}
      </ul>
    </details>
  )
}
