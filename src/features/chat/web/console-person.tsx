import { useState } from 'react'
import { Button } from '#src/ui/button.tsx'
import { Dialog } from '#src/ui/dialog.tsx'
import { SelectField } from '#src/ui/field.tsx'
import { Lamp } from '#src/ui/lamp.tsx'
import { useLanguage, useTexts } from '#src/ui/language.tsx'
import { staffTexts } from '../staff-texts.ts'
import type { StaffChat, StaffPresence } from '../values.ts'
import { formatClock } from './console-list.tsx'

type ConsolePersonProps = {
  chat: StaffChat
  userId: number
  users: StaffPresence[]
  canWrite: boolean
  onClaim: () => void
  onTransfer: (userId: number) => void
  onClose: () => void
}

/** Who the visitor is, and what can be done with the conversation. */
export function ConsolePerson({ chat, userId, users, canWrite, onClaim, onTransfer, onClose }: ConsolePersonProps) {
  const t = useTexts(staffTexts)
  const language = useLanguage()
  const [asked, setAsked] = useState(false)
  const others = users.filter((user) => user.id_user !== userId && user.can_answer)
  const isMine = chat.id_user === userId
  const facts = [
    [t('person'), chat.client_name],
    [t('email'), chat.client_email],
    [t('language'), chat.language === 'fr' ? t('french') : t('english')],
    [t('page'), chat.page || '/'],
    [t('since'), formatClock(language, chat.created_at)],
  ]
  return (
    <aside className="console-person" aria-label={t('details')}>
      <h2 className="text-xl">{chat.client_business || chat.client_name}</h2>
      <dl className="console-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div>
          <dt>{t('presence')}</dt>
          <dd>
            <Lamp on={chat.visitor_online}>{chat.visitor_online ? t('there') : t('gone')}</Lamp>
          </dd>
        </div>
      </dl>
      {canWrite && chat.status === 'waiting' && (
        <Button wide onClick={onClaim}>
          {t('claim')}
        </Button>
      )}
      {canWrite && isMine && chat.status === 'claimed' && <Transfer others={others} onTransfer={onTransfer} />}
      {canWrite && chat.status !== 'closed' && (isMine || chat.status === 'waiting') && (
        <Button variant="danger" wide onClick={() => setAsked(true)}>
          {t('close')}
        </Button>
      )}
      <Dialog
        open={asked}
        onClose={() => setAsked(false)}
        role="alertdialog"
        title={t('closeTitle', { name: chat.client_name })}
        actions={
          <>
            <Button variant="secondary" onClick={() => setAsked(false)}>
              {t('cancel')}
            </Button>
            <Button
              variant="danger"
              onClick={() => {
                setAsked(false)
                onClose()
              }}
            >
              {t('close')}
            </Button>
          </>
        }
      >
        <p>{t('closeQuestion')}</p>
      </Dialog>
    </aside>
  )
}

function Transfer({ others, onTransfer }: { others: StaffPresence[]; onTransfer: (userId: number) => void }) {
  const t = useTexts(staffTexts)
  const [chosen, setChosen] = useState('')
  if (others.length === 0) return <p className="text-sm text-ink-2">{t('nobodyElse')}</p>
  const to = others.find((user) => String(user.id_user) === chosen) ?? others[0]
  return (
    <div className="grid gap-3">
      <SelectField label={t('transfer')} value={chosen} onChange={(event) => setChosen(event.target.value)}>
        {others.map((user) => (
          <option key={user.id_user} value={user.id_user}>
            {user.user_name}
          </option>
        ))}
      </SelectField>
      <Button variant="secondary" size="small" onClick={() => to && onTransfer(to.id_user)}>
        {t('transferDo')}
      </Button>
    </div>
  )
}
