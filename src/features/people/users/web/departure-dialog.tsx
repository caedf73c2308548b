import { useEffect, useState } from 'react'
import { getJson } from '#src/ui/api.ts'
import { ConfirmDialog } from '#src/ui/components/dialog.tsx'
import { Link } from '#src/ui/components/link.tsx'
import { SelectField } from '#src/ui/forms/field.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import type { HeldWork, User } from '../../contract.ts'
import { userTexts } from '../admin-texts.ts'

type DepartureDialogProps = {
  /** Null while nothing is asked. */
  user: User | null
  action: 'lock' | 'remove'
  onCancel: () => void
  /** The query of the request that locks or deletes the account. */
  onConfirm: (query: string) => void
}

/** Asks before an account is locked or deleted: what the person still has, and who takes it over. */
export function DepartureDialog({ user, action, onCancel, onConfirm }: DepartureDialogProps) {
  const t = useTexts(userTexts)
  const work = useHeldWork(user?.id_user)
  const [choice, setChoice] = useState<{ of: number | undefined; giveTo: string } | null>(null)
  const giveTo = choice?.of === user?.id_user ? choice?.giveTo : action === 'lock' ? '' : 'none'
  const colleagues =
    work !== null && work !== 'unknown' && work.held.some((one) => one.can_be_given) ? work.colleagues : undefined
  const [hidden, setHidden] = useState<number>()
  const canHide = work !== null && work !== 'unknown' && work.held.some((one) => one.can_be_hidden)
  const isHidden = canHide && user !== null && hidden === user.id_user
  return (
    <ConfirmDialog
      open={user !== null}
      title={user ? t('actionOn', { action: t(action), name: user.display_name }) : undefined}
      confirmLabel={t(action)}
      consequence={action === 'remove' ? 'final' : t('lockConsequence')}
      busy={work === null}
      onCancel={onCancel}
      onConfirm={() => {
        const query = new URLSearchParams({ ...(colleagues && giveTo && { give_to: giveTo }), ...(isHidden && { hide: '1' }) })
        onConfirm(query.size > 0 ? `?${query}` : '')
      }}
    >
      <div className="mb-5 grid gap-4">
        {user && <Held work={work} />}
        {user && colleagues && (
          <SelectField
            label={t('giveTo')}
            value={giveTo}
            onChange={(event) => setChoice({ of: user.id_user, giveTo: event.target.value })}
          >
            {action === 'lock' && <option value="">{t('giveToSame', { name: user.display_name })}</option>}
            <option value="none">{t('giveToNobody')}</option>
            {colleagues.map(({ id_user, display_name }) => (
              <option key={id_user} value={id_user}>
                {display_name}
              </option>
            ))}
          </SelectField>
        )}
        {user && canHide && (
          <SelectField
            label={t('profileFate')}
            value={isHidden ? 'hide' : ''}
            onChange={(event) => setHidden(event.target.value ? user.id_user : undefined)}
          >
            <option value="">{t('profileStays')}</option>
            <option value="hide">{t('profileHidden')}</option>
          </SelectField>
        )}
      </div>
    </ConfirmDialog>
  )
}

/** Null while it is read. */
function useHeldWork(userId: number | undefined) {
  const [work, setWork] = useState<HeldWork | 'unknown' | null>(null)
  useEffect(() => {
    setWork(null)
    if (userId === undefined) return
    const left = new AbortController()
    getJson<HeldWork>(`/api/users/users/${userId}/held`, left.signal).then(setWork, (error: unknown) => {
      if (left.signal.aborted) return
      console.warn(error)
      setWork('unknown')
    })
    return () => left.abort()
  }, [userId])
  return work
}

function Held({ work }: { work: HeldWork | 'unknown' | null }) {
  const t = useTexts(userTexts)
  const language = useLanguage()
  if (work === null) return null
  if (work === 'unknown') return <p className="font-bold text-err">{t('holdsUnknown')}</p>
  if (work.held.length === 0) return <p>{t('holdsNothing')}</p>
  return (
    <div>
      <p>{t('holds')}</p>
      <ul className="mt-2 grid list-disc gap-2 ps-6">
        {work.held.map(({ kind, label, fate, count, rows }) => (
          <li key={kind}>
            <strong>{label[language]}</strong>
            <span className="block text-sm text-ink-2">{fate[language]}</span>
            {rows.length > 0 && (
              <ul className="text-sm">
                {rows.map((row) => (
                  <li key={row.path}>
                    <Link to={row.path} className="text-brand underline">
                      {row.label}
                    </Link>
                  </li>
                ))}
                {count > rows.length && <li>{t('more', { count: count - rows.length })}</li>}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}
